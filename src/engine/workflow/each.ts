import type { Ports } from '../../contracts/ports.ts'
import type { WorkflowRun } from './run.ts'

type Work<Item, Value> = {
  name(item: Item): string
  do(item: Item): Promise<{ value: Value; credits: number }>
}

/** One workflow does no more than so many at the same time, whatever its team may. */
const sideBySide = 4

/** Does a step for each item, as many at once as the team may but only a few, and reports how many are done. */
export async function stepEach<Item, Value>(
  { account }: Pick<Ports, 'account'>,
  workflow: Pick<WorkflowRun, 'teamId' | 'step' | 'report'>,
  items: readonly Item[],
  work: Work<Item, Value>,
): Promise<Value[]> {
  const { maxConcurrency } = await account.limitsOf(workflow.teamId)
  const total = items.length
  const values: Value[] = []
  let completed = 0
  await workflow.report({ completed, total })
  const rest = items.entries()
  const doInTurn = async () => {
    for (const [index, item] of rest) {
      values[index] = await workflow.step(work.name(item), () => work.do(item))
      completed += 1
      await workflow.report({ completed, total })
    }
  }
  await Promise.all(Array.from({ length: Math.min(sideBySide, maxConcurrency, total) }, doInTurn))
  return values
}
