/** A group of pages in the sidebar, by what a reader wants. */
export interface SidebarGroup {
  readonly text: string;
  readonly collapsed?: boolean;
  /** Paths below docs/; one that ends in `*` is every page that begins so and that no group names, in the order of their names. */
  readonly pages: readonly string[];
}

/** Everything that the site has. A page that is in no group fails the build. */
export const SIDEBAR: readonly SidebarGroup[] = [
  {
    text: 'Begin',
    pages: ['README.md', 'guide/getting-started.md', 'guide/concepts.md', 'guide/cli.md', 'guide/dashboard.md'],
  },
  {
    text: 'Coming from Pacemaker',
    pages: [
      'guide/from-pacemaker.md',
      'guide/pcs-and-crmsh.md',
      'guide/pacemakers-tools.md',
      'guide/tools.md',
      'guide/crm-simulate.md',
      'guide/differences-from-pacemaker.md',
      'guide/not-done.md',
    ],
  },
  {
    text: 'Run services',
    pages: [
      'guide/configuration.md',
      'guide/workloads.md',
      'guide/bundles.md',
      'guide/remote-nodes.md',
      'guide/node-attributes.md',
      'guide/what-if.md',
      'guide/explain.md',
      'guide/history.md',
    ],
  },
  {
    text: 'Keep data safe',
    pages: ['guide/fencing-and-safety.md', 'guide/when-something-is-wrong.md'],
  },
  {
    text: 'When an alert fires',
    pages: ['runbooks/README.md', 'runbooks/*'],
  },
  {
    text: 'Operate servers and nodes',
    pages: [
      'guide/agent.md',
      'guide/kubernetes.md',
      'guide/backups.md',
      'guide/upgrades.md',
      'project/changelog.md',
      'guide/monitoring.md',
      'guide/metrics.md',
      'guide/traces.md',
      'guide/alerts.md',
      'guide/webhooks.md',
      'guide/limits.md',
      'performance.md',
      'guide/*',
    ],
  },
  {
    text: 'Who may do what',
    pages: [
      'guide/access.md',
      'guide/permissions.md',
      'guide/secrets.md',
      'guide/tls.md',
      'guide/audit.md',
      'guide/evidence.md',
      'project/security.md',
    ],
  },
  {
    text: 'Reference: options',
    pages: ['guide/cluster-options.md', 'guide/attributes.md', 'guide/settings.md'],
  },
  {
    text: 'Reference: HTTP API',
    collapsed: true,
    pages: ['guide/api.md', 'reference/api/index.md', 'reference/api/problems.md', 'reference/api/*'],
  },
  {
    text: 'How it works',
    pages: ['architecture.md', 'testing-under-fire.md', 'project/contributing.md'],
  },
  { text: 'The scheduler, specified', collapsed: true, pages: ['spec/README.md', 'spec/*'] },
  { text: 'Decisions', collapsed: true, pages: ['decisions/index.md', 'decisions/*'] },
];

export interface SidebarEntry {
  readonly text: string;
  readonly link: string;
}

/**
 * The groups with the titles of their pages.
 *
 * @param titles of every page of the site, by its path below docs/.
 * @throws when a group names a page that is not there, or when no group has a page: nobody would find it.
 */
export function sidebar(
  groups: readonly SidebarGroup[],
  titles: ReadonlyMap<string, string>,
): { readonly text: string; readonly collapsed: boolean; readonly items: SidebarEntry[] }[] {
  const named = new Set(groups.flatMap(({ pages }) => pages.filter((path) => !path.endsWith('*'))));
  const missing = [...named].filter((path) => !titles.has(path));
  if (missing.length > 0) throw new Error(`docs/site/sidebar.ts names pages that are not there: ${missing.join(', ')}`);
  const shownPages = new Set<string>();
  const result = groups.map(({ text, collapsed = false, pages }) => ({
    text,
    collapsed,
    items: pages
      .flatMap((path) => (path.endsWith('*') ? matching(titles, path.slice(0, -1), named) : [path]))
      .map((path) => {
        shownPages.add(path);
        return { text: titles.get(path) ?? path, link: pageAddress(path) };
      }),
  }));
  const unseen = [...titles.keys()].filter((path) => !shownPages.has(path));
  if (unseen.length > 0) throw new Error(`no group of docs/site/sidebar.ts has ${unseen.join(', ')}: put each where a reader looks for it`);
  return result;
}

function matching(titles: ReadonlyMap<string, string>, prefix: string, named: ReadonlySet<string>): string[] {
  return [...titles.keys()].filter((path) => path.startsWith(prefix) && !named.has(path)).sort();
}

/** The address of a page on the site, from its root, without its suffix. */
function pageAddress(path: string): string {
  return `/${path.replace(/(README|index)\.md$/, '').replace(/\.md$/, '')}`;
}
