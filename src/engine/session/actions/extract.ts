import type { LiveTab } from '../page/live-tab.ts'
import { inPage } from '../page/page-functions.ts'
import { findPlaces, plainText, readOutline } from '../page/snapshot.ts'
import { isRef, readingsOf, resolveRef } from '../page/target.ts'
import { ActionError } from '../page/types.ts'
import type { ActionContext, ActionHandler } from './context.ts'

const usualCharacters = 6000
const mostLines = 3

/**
 * The content of an element, or of the page: tables and lists as rows, everything as text or markdown. Where a target names no
 * element that holds more than that name, what is wanted is the row or line that holds it.
 */
export const extract: ActionHandler<'extract'> = async (
  stage,
  { target, as, maxCharacters = usualCharacters, from = 0 },
  signal,
) => {
  const wanted = target === undefined ? { ref: 0 } : await partMeant(stage.tab, target, signal)
  if ('line' in wanted) return { extracted: partOf(wanted.line, maxCharacters, from) }
  if (as !== 'rows') return { extracted: partOf(await contentOf(stage, wanted.ref, as, signal), maxCharacters, from) }
  const rows = await inPage(stage.tab, 'extractRows', [wanted.ref], signal)
  if (rows.length === 0) throw new ActionError('There is no table or list to extract rows from; extract it as text.')
  return { extracted: rowsText(rows, maxCharacters, from) }
}

async function contentOf(
  { tab, toMarkdown }: ActionContext,
  ref: number,
  as: 'text' | 'markdown',
  signal: AbortSignal,
): Promise<string> {
  const { html, text, url } = await inPage(tab, 'extractContent', [ref], signal)
  if (as === 'text' || html === '') return text
  if (toMarkdown) return toMarkdown(html, url, signal)
  const outline = await readOutline(tab, ref === 0 ? undefined : `e${ref}`, signal)
  return plainText(outline?.nodes ?? [])
}

type Part = { ref: number } | { line: string }

async function partMeant(tab: LiveTab, target: string, signal: AbortSignal): Promise<Part> {
  try {
    const ref = await resolveRef(tab, target, 'any', signal)
    const line = (await holdsNameOnly(tab, ref, target, signal)) ? await lineWith(tab, target, signal) : undefined
    return line === undefined ? { ref } : { line }
  } catch (error) {
    const line = error instanceof ActionError && !isRef(target) ? await lineWith(tab, target, signal) : undefined
    if (line === undefined) throw error
    return { line }
  }
}

/** The word "Total" alone says nothing, and nobody asks for what they know. */
async function holdsNameOnly(tab: LiveTab, ref: number, target: string, signal: AbortSignal): Promise<boolean> {
  const names = readingsOf(target).flatMap(({ role, name }) => (role === '' ? plainName(name) : []))
  if (isRef(target) || names.length === 0) return false
  const { text } = await inPage(tab, 'extractContent', [ref], signal)
  return names.includes(plainName(text))
}

const plainName = (text: string) =>
  text
    .replace(/[\s:]+/g, ' ')
    .trim()
    .toLowerCase()

async function lineWith(tab: LiveTab, target: string, signal: AbortSignal): Promise<string | undefined> {
  for (const name of new Set(readingsOf(target).map((reading) => reading.name))) {
    const outline = await findPlaces(tab, name, mostLines, 'left out', signal)
    if (outline.found && outline.foundAs !== 'some words')
      return plainText(outline.nodes.flatMap(({ children = [] }) => children))
  }
  return undefined
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
