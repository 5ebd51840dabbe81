import { coreOf } from '../../api/page.ts'
import { evaluateGiven, heldInPage, type Remote, resultOf } from '../../api/evaluate.ts'
import { createHandle } from '../../api/handle.ts'
import { parseSelector } from '../../api/steps.ts'
import { outline, seenIn } from '../../in-page/outline.ts'
import { numberOf } from './arguments.ts'
import type { CommandScope, Said } from './scope.ts'

/** What can be seen of the page, with a reference for each element that can be used. */
export async function snapshot({ page, state, options }: CommandScope): Promise<Said> {
  const session = await page[coreOf].session()
  const selector = options.get('selector')
  const asked = {
    isInteractive: options.has('interactive'),
    isCompact: options.has('compact'),
    maxDepth: numberOf(options.get('depth'), 100),
    root: selector === undefined ? [] : parseSelector(selector),
  }
  const lines = await heldInPage(session, seenIn, [asked])
  const seen = await heldInPage(session, outline, [], lines)
  const handle = createHandle(page[coreOf], seen!, page)
  const list = resultOf(await evaluateGiven(session, '(seen) => seen.elements', [handle], 'handle'))
  const text = String(await handle.evaluate('(seen) => seen.text'))
  if (state.refs) await session.send('Runtime.releaseObject', state.refs.list).catch(() => undefined)
  state.refs = { list: list as Remote, pageId: page[coreOf].targetId }
  return { text: text === '' ? '(no interactive elements)' : text, data: { snapshot: text } }
}
