import type { Store } from '../../store.ts'
import type { SweepTools } from '../db/sweep.ts'
import { createKeyedCalls } from './keyed-calls.ts'
import { createQuotas } from './quotas.ts'

/** What calls have taken while they run: all of it is leased by their process. */
export function createInUse(tools: SweepTools): Pick<Store, 'quotas' | 'keyedCalls'> & { idle(): Promise<void> } {
  const { idle, ...keyedCalls } = createKeyedCalls(tools)
  return { quotas: createQuotas(tools.db, tools.clock), keyedCalls, idle }
}
