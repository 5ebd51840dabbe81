import { inPage } from '../page/page-functions.ts'
import { readOutline, plainText } from '../page/snapshot.ts'
import { resolveRef } from '../page/target.ts'
import { ActionError } from '../page/types.ts'
import type { ActionHandler } from './context.ts'

const usualCharacters = 6000

/** The content of an element, or of the page: tables and lists as rows, everything as text or markdown. */
export const extract: ActionHandler<'extract'> = async (
  stage,
  { target, as, maxCharacters = usualCharacters, from = 0 },
  signal,
) => {
  const { tab, toMarkdown } = stage
  const ref = target === undefined ? 0 : await resolveRef(tab, target, 'any', signal)
  if (as === 'rows') {
    const rows = await inPage(tab, 'extractRows', [ref], signal)
    if (rows.length === 0) throw new ActionError('There is no table or list to extract rows from; extract it as text.')
    return { extracted: rowsText(rows, maxCharacters, from) }
  }
  const { html, text, url } = await inPage(tab, 'extractContent', [ref], signal)
  if (as === 'markdown' && toMarkdown)
    return { extracted: partOf(await toMarkdown(html, url, signal), maxCharacters, from) }
  if (as === 'text') return { extracted: partOf(text, maxCharacters, from) }
  const outline = await readOutline(tab, ref === 0 ? undefined : `e${ref}`, signal)
  return { extracted: partOf(plainText(outline?.nodes ?? []), maxCharacters, from) }
}

function partOf(text: string, most: number, from: number): string {
  const part = text.slice(from, from + most)
  const rest = text.length - from - part.length
  return rest > 0 ? `${part}\n… ${rest} more of ${text.length} characters: from ${from + most}` : part
}

/** Whole rows only, one per line, so that a shortened list is still JSON. */
function rowsText(rows: readonly Record<string, string>[], most: number, from: number): string {
  let size = 0
  const lines = rows.slice(from).map((row) => JSON.stringify(row))
  const fits = lines.findIndex((line) => (size += line.length + 2) > most)
  const shown = fits < 0 ? lines : lines.slice(0, Math.max(1, fits))
  const rest = lines.length - shown.length
  return `[${shown.join(',\n')}]${rest > 0 ? `\n… ${rest} more of ${rows.length} rows: from ${from + shown.length}` : ''}`
}
