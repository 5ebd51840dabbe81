import type { Reading } from './by-rules.ts'
import type { PromptOptions, Reasons } from './draft.ts'
import { takes } from './known-pages.ts'
import { escaped } from './paths.ts'

/** What a prompt means for a crawl, what each option was derived from, and what of the prompt was not understood. */
export type Derived = { options: PromptOptions; reasons: Reasons; warning?: string }

/** A reading as the caller gets it: the way to the pages is open, and what was not understood is told. */
export async function finish(url: string, { options, reasons, leftover, notes }: Reading): Promise<Derived> {
  const said = [
    ...notes,
    ...(leftover.length > 0
      ? [`Nothing was made of these words: ${leftover.join(', ')}. Set the options yourself where that matters.`]
      : []),
  ]
  return { ...(await reaching(url, { options, reasons })), ...(said.length > 0 && { warning: said.join(' ') }) }
}

/** The start page is held to the patterns too, and without it there would be no way to the pages that fit. */
async function reaching(url: string, given: Pick<Reading, 'options' | 'reasons'>): Promise<Omit<Derived, 'warning'>> {
  const { options, reasons } = given
  const { includePaths } = options
  const start = URL.parse(url)
  if (!includePaths || !start || (await takes({ includePaths }))(start.href)) return { options, reasons }
  const folder = start.pathname.replace(/\/+$/, '')
  const isBelow = folder === '' || includePaths.every((pattern) => pattern.startsWith(`^${escaped(folder)}/`))
  return {
    options: {
      ...options,
      includePaths: [`^${escaped(folder)}/?$`, ...includePaths],
      ...(!isBelow && { crawlEntireDomain: true }),
    },
    reasons: { ...reasons, ...(!isBelow && reasons.includePaths && { crawlEntireDomain: reasons.includePaths }) },
  }
}
