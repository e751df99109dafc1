import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystoleClient } from '@systole/api-client';
import { startEmbedded, type Embedded } from '@systole/embedded';
import { createScratchDatabase } from '@systole/event-store/testing';
import { DemoCluster } from '@systole/examples';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const PATIENCE_MS = 40_000;
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' };

describe.skipIf(!existsSync(CHROMIUM))('the dashboard in Chromium', () => {
  const token = 'an-admin-token-for-the-dashboard-test';
  const cleanups: (() => Promise<unknown>)[] = [];
  let server: Embedded;
  let browser: Browser;
  let cluster: DemoCluster;

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'systole-dashboard-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    const database = await createScratchDatabase();
    cleanups.push(() => database.drop());
    server = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: token });
    cleanups.push(() => server.stop());
    const client = createSystoleClient({ baseUrl: server.url, token });
    cluster = await DemoCluster.create({ client, serverUrl: server.url, directory });
    cleanups.push(() => cluster.stop());
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    cleanups.push(() => browser.close());
  });

  afterAll(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** A tab at the sign-in page. Whatever the browser complains about, e.g. a breach of the Content-Security-Policy, lands in the list. */
  async function openTab(options: BrowserContextOptions): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    page.on('console', (message) => {
      // The browser notes refused sign-ins; the page shows them itself.
      if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(server.url);
    return { page, complaints };
  }

  async function signIn(page: Page, secret: string): Promise<void> {
    await page.getByLabel('Access token').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('signs in, shows the cluster live, and puts a node on standby after a preview', async () => {
    const { page, complaints } = await openTab(DESKTOP);
    await signIn(page, 'not-a-token');
    await page.getByRole('alert').getByText('the token is unknown').waitFor();
    await signIn(page, token);
    await page.getByRole('link', { name: 'demo' }).click();

    const place = (resource: string, node: number): ReturnType<Page['locator']> =>
      page
        .locator('tr', { has: page.getByRole('rowheader', { name: resource }) })
        .locator('td')
        .nth(node);
    const [alpha, bravo] = [0, 1];
    await page.getByRole('columnheader', { name: 'alpha online' }).waitFor();
    await place('database', alpha).getByText('Started').waitFor();
    await page.getByText('3 of 3 votes', { exact: true }).waitFor();
    await page
      .getByRole('img', { name: /^Graph of transition \d+$/ })
      .locator('text', { hasText: 'database_start_0 alpha' })
      .waitFor();
    await page.getByRole('listitem').filter({ hasText: 'start database on alpha: ok' }).first().waitFor();

    await page.getByRole('button', { name: 'Standby alpha' }).click();
    const dialog = page.getByRole('dialog', { name: 'Put alpha on standby' });
    await dialog.getByText('stop database on alpha').waitFor();
    await dialog.getByRole('button', { name: 'Put alpha on standby' }).click();
    await page.getByRole('columnheader', { name: 'alpha standby' }).waitFor();
    await place('database', bravo).getByText('Started').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'start database on bravo: ok' }).first().waitFor();

    await page.getByText('Why each action').click();
    await page.getByText(/^it moves to bravo: .*alpha with \d+ is standby/).waitFor();
    expect(await page.getByText('another version of the scheduler').count()).toBe(0);
    await page.getByRole('link', { name: 'Why here? database' }).click();
    await page.getByText(/^bravo has the highest score of the usable nodes, 100 \(alpha with 200 is standby/).waitFor();
    const candidate = (node: string): ReturnType<Page['getByRole']> => page.getByRole('row', { name: new RegExp(`^${node}`) });
    await candidate('alpha').getByText('location database-prefers-alpha').waitFor();
    await candidate('bravo').getByText('stickiness: it runs there').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'demo' }).click();

    await page.getByRole('button', { name: 'Unstandby alpha' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take alpha off standby' }).click();
    await place('database', alpha).getByText('Started').waitFor();

    const told = await page.evaluate<string[]>(`[...document.querySelectorAll('.timeline > li > time')].map((time) => time.title)`);
    expect(new Set(told).size).toBe(told.length);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    expect(await page.evaluate<number>('sessionStorage.length')).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('fits a phone, and cleans a resource up', async () => {
    const { page, complaints } = await openTab(PHONE);
    await signIn(page, token);
    await page.getByRole('link', { name: 'demo' }).click();
    await page.getByRole('img', { name: /^Graph of transition/ }).waitFor();
    const hidden = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(hidden).toBe(0);

    const before = await cluster.version();
    await page.getByRole('button', { name: 'Cleanup database' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clean up database' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await cluster.version()).toBeGreaterThanOrEqual(before);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says when the server cannot be reached, and goes on where it was', async () => {
    const { page } = await openTab(DESKTOP);
    await signIn(page, token);
    await page.getByRole('link', { name: 'demo' }).click();
    await page.getByRole('columnheader', { name: 'bravo online' }).waitFor();

    await page.context().setOffline(true);
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    await cluster.setStandby('bravo', true);
    await page.context().setOffline(false);
    await page.getByRole('columnheader', { name: 'bravo standby' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: 'bravo: standby = on' }).first().waitFor();
    await cluster.setStandby('bravo', false);
    await page.getByRole('listitem').filter({ hasText: 'bravo: standby cleared' }).first().waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'bravo: standby = on' }).count()).toBe(1);
    await page.context().close();
  });
});
