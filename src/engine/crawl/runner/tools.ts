import type { Ports } from '../../../contracts/ports.ts'
import type { Log } from '../../../kernel/log.ts'
import type { FairSemaphore } from '../../../util/semaphore.ts'
import type { BudgetPorts } from './budget.ts'
import type { Capacity } from './capacity.ts'
import type { Lease } from './lease.ts'
import type { VisitPorts } from './visit.ts'

export type RunPorts = VisitPorts & BudgetPorts & { account: Pick<Ports['account'], 'load' | 'enter'> }
export type RunTools = {
  workerId: string
  leaseMs: number
  lease: Lease
  hostConcurrency: number
  capacity: Pick<Capacity, 'inTurn'> & { share(): number }
  /** Teams take turns at seeding: it may take long, and much memory. */
  seedings: FairSemaphore
  userAgent: string
  log: Log
  /** Called when a webhook event was written. */
  eventWritten(): void
}
