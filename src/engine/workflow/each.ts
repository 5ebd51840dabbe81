import type { WorkflowRun } from './run.ts'

type Work<Item, Value> = {
  /** Steps done at the same time at most: what the team may. */
  atOnce: number
  name(item: Item): string
  do(item: Item): Promise<{ value: Value; credits: number }>
}

/** One workflow does no more than so many at the same time, whatever its team may. */
const sideBySide = 4

/** Does a step for each item, a few at a time, and reports how many are done. */
export async function stepEach<Item, Value>(
  workflow: Pick<WorkflowRun, 'step' | 'report'>,
  items: readonly Item[],
  work: Work<Item, Value>,
): Promise<Value[]> {
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
  await Promise.all(Array.from({ length: Math.min(sideBySide, work.atOnce, total) }, doInTurn))
  return values
}
