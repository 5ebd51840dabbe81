import { coreOf } from '../../api/page.ts'
import { createHandle, type Handle } from '../../api/handle.ts'
import type { Locator } from '../../api/locator.ts'
import { evaluateGiven, resultOf } from '../../api/evaluate.ts'
import { CommandError } from './arguments.ts'
import type { CommandScope } from './scope.ts'

/** What `@e3` or a selector stands for. */
export async function elementOf(scope: CommandScope, word: string): Promise<Locator | Handle> {
  const ref = /^(?:@|ref=)?(e\d+)$/.exec(word)?.[1]
  return ref === undefined ? scope.page.locator(word).first() : referred(scope, ref)
}

async function referred({ page, state }: CommandScope, ref: string): Promise<Handle> {
  const gone = new CommandError(
    `Element @${ref} is not known or gone. Run "agent-browser snapshot -i" for new references.`,
  )
  const { refs } = state
  if (refs?.pageId !== page[coreOf].targetId) throw gone
  const session = await page[coreOf].session()
  const list = createHandle(page[coreOf], refs.list, page)
  const pick = '(list, index) => list[index]?.isConnected ? list[index] : undefined'
  const picked = await evaluateGiven(session, pick, [list, Number(ref.slice(1)) - 1], 'handle').catch(() => {
    throw gone
  })
  const { objectId } = resultOf(picked)
  if (objectId === undefined) throw gone
  return createHandle(page[coreOf], { objectId }, page)
}
