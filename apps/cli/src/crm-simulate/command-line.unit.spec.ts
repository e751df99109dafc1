import { describe, expect, it } from 'vitest';
import { CommandLine, UsageError } from './command-line.js';
import { helpText, OPTIONS } from './options.js';

describe('CommandLine', () => {
  it('reads letters that stand together, the last with its value', () => {
    const line = new CommandLine(['-sSQ', '-xcib.xml', '-D', 'out.dot']);
    expect(['show-scores', 'simulate', 'quiet'].map((name) => line.has(name as 'quiet'))).toEqual([true, true, true]);
    expect(line.last('xml-file')).toBe('cib.xml');
    expect(line.last('save-dotfile')).toBe('out.dot');
  });

  it('reads long names with their value behind an equals sign or a blank', () => {
    const line = new CommandLine(['--node-up=n1', '--node-up', 'n2', '--set-datetime=a=b']);
    expect(line.all('node-up')).toEqual(['n1', 'n2']);
    expect(line.last('set-datetime')).toBe('a=b');
    expect(line.all('node-down')).toEqual([]);
  });

  it('passes over what is no option, as the reference does', () => {
    const line = new CommandLine(['cib.xml', '-S', '--run=yes', '-', '--', '-Q']);
    expect(line.ignored).toEqual(['cib.xml', '-', '-Q']);
    expect((['simulate', 'run', 'quiet'] as const).map((name) => line.has(name))).toEqual([true, true, false]);
  });

  it('repeats itself as it could be typed', () => {
    expect(new CommandLine(['-t', "noon o'clock", '-S']).text).toBe("crm_simulate -t 'noon o'\\''clock' -S");
  });

  it.each([
    [['--nope'], 'Unknown option --nope'],
    [['-SZ'], 'Unknown option -Z'],
    [['-x'], 'Missing argument for -x'],
    [['--xml-file'], 'Missing argument for --xml-file'],
  ])('refuses %j', (args, message) => {
    expect(() => new CommandLine(args)).toThrow(UsageError);
    expect(() => new CommandLine(args)).toThrow(message);
  });
});

describe('helpText', () => {
  it('names every option', () => {
    for (const { long } of OPTIONS) expect(helpText()).toContain(`--${long}`);
  });

  it('shows one group alone', () => {
    const text = helpText('Data source');
    expect(text).toContain('--xml-file=FILE');
    expect(text).not.toContain('--simulate');
  });
});
