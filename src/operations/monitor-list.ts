import { z } from 'zod'
import { listMonitors } from '../engine/monitor/manage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentMonitors } from '../present/monitor.ts'
import { ListWindow, MonitorAnswer, Pagination } from '../schema/monitor/monitor.ts'

export default defineOperation({
  name: 'monitor_list',
  route: 'GET /v2/monitor',
  title: 'List monitors',
  about: 'List the monitors of the team, newest first.',
  effect: 'read',
  example: { limit: 20 },
  input: ListWindow,
  output: z.object({ data: z.array(MonitorAnswer), pagination: Pagination }),
  errors: [],
  mcp: { present: presentMonitors },
  run: listMonitors,
})
