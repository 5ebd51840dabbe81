import type { Tool } from '../../kernel/tool.ts'
import monitorCheck from '../../operations/monitor-check.ts'
import monitorCreate from '../../operations/monitor-create.ts'
import monitorDelete from '../../operations/monitor-delete.ts'
import monitorGet from '../../operations/monitor-get.ts'
import monitorList from '../../operations/monitor-list.ts'
import monitorRun from '../../operations/monitor-run.ts'
import monitorUpdate from '../../operations/monitor-update.ts'
import { monitorArguments } from '../../schema/monitor/arguments.ts'

export const monitorTool: Tool = {
  name: 'monitor',
  title: 'Watch pages for changes',
  about:
    'Check pages or a site on a schedule and tell a webhook what changed; get shows the newest checks, run checks now.',
  effect: 'change',
  example: {
    action: 'create',
    schedule: 'every 30 minutes',
    urls: ['https://example.com/prices'],
  },
  arguments: monitorArguments,
  variants: [
    { operation: monitorCreate, when: { action: 'create' } },
    { operation: monitorList, when: { action: 'list' }, adds: { limit: 100 } },
    { operation: monitorCheck, when: { action: 'get' }, given: 'checkId' },
    { operation: monitorGet, when: { action: 'get' } },
    { operation: monitorUpdate, when: { action: 'update' } },
    { operation: monitorRun, when: { action: 'run' } },
    { operation: monitorDelete, when: { action: 'delete' } },
  ],
}
