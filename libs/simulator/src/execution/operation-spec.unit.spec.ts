import { describe, expect, it } from 'vitest';
import { InvalidOperationSpecError, parseOperationSpec } from './operation-spec.js';

describe('parseOperationSpec', () => {
  it('takes resource, task, interval, node and result apart', () => {
    expect(parseOperationSpec('my_db:0_monitor_10000@node-1=7')).toEqual({
      resource: 'my_db:0',
      task: 'monitor',
      interval: 10000,
      node: 'node-1',
      rc: 7,
    });
  });

  it('knows the tasks that have an underscore', () => {
    expect(parseOperationSpec('vm_migrate_to_0@n1=1')).toMatchObject({ resource: 'vm', task: 'migrate_to' });
  });

  it.each([
    ['db_start_0', 1],
    ['db_start_0@n1', 2],
    ['db_start_0@n1=x', 2],
    ['', 0],
  ])('refuses "%s" and says how much of it was understood', (spec, fields) => {
    expect(() => parseOperationSpec(spec)).toThrow(InvalidOperationSpecError);
    expect(() => parseOperationSpec(spec)).toThrow(`Invalid operation spec: ${spec}.  Only found ${fields} fields`);
  });

  it('refuses an operation without its parts, and says so', () => {
    expect(() => parseOperationSpec('db_monitor@n1=7')).toThrow(
      'Invalid operation spec: db_monitor@n1=7.  "db_monitor" is not RESOURCE_TASK_INTERVAL',
    );
  });
});
