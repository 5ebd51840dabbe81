import type { Document } from '../../schema/scrape/document.ts'
import { type Command, type CommandContext, isForPerson } from '../command.ts'
import { type Explanation, gatherSteps, explanationText } from '../../engine/support/explain/explain-scrape.ts'
import { harmless } from '../terminal-io.ts'
import { limitIn, objectIn, phraseIn, usageError } from '../usage/syntax.ts'
import { call, type Watch } from './call-command.ts'

/** `gossamer scrape URL [JSON]`: prints or writes markdown if it is the only format, otherwise the whole response. */
export const scrapeCommand: Command = async (context) => {
  const [url, more] = context.words
  const { flags } = context
  if (url === undefined) throw usageError('scrape')
  const formats = flags.formats?.split(',').map((format) => format.trim())
  const input = { url, ...(formats && { formats }), ...objectIn(more ?? '{}', { onlyMainContent: false }) }
  const isText = !flags.json && (formats ?? []).every((format) => format === 'markdown')
  return call(context, 'scrape', input, {
    ...(flags.explain && explaining(context, url)),
    ...(isText && { fileText: (output) => markdownAlone((output as { data: Document }).data) }),
    ...(flags.out !== undefined && { file: flags.out }),
  })
}

/**
 * Returns the markdown of a page if it is the only format, with its error and warning as notes; otherwise undefined.
 */
function markdownAlone({ markdown, metadata, warning, ...others }: Document) {
  if (markdown === undefined || Object.keys(others).length > 0) return undefined
  const { statusCode, error } = metadata
  return {
    text: `${markdown.trimEnd()}\n`,
    notes: [
      ...(error ? [`The site answered ${statusCode}: ${error}`] : []),
      ...(warning ? [`Warning: ${warning}`] : []),
    ],
  }
}

/** Creates callbacks that explain on stderr how the page was fetched, after the response is printed. */
function explaining(context: CommandContext, url: string): Watch {
  const steps = gatherSteps(url, () => performance.now())
  return {
    reportStep: steps.reportStep,
    ended: (outcome) => {
      const end = 'error' in outcome ? outcome : { document: (outcome.output as { data: Document }).data }
      say(context, steps.explained(end))
    },
  }
}

function say(context: CommandContext, explanation: Explanation): void {
  const text = isForPerson(context) ? harmless(explanationText(explanation)) : `${JSON.stringify({ explanation })}\n`
  context.terminal.err(text)
}

/** `gossamer search QUERY [JSON]` */
export const searchCommand: Command = async (context) => {
  const { text, options } = phraseIn(context.words, { limit: 5 })
  if (text === '') throw usageError('search')
  const limit = context.flags.limit === undefined ? {} : { limit: limitIn(context.flags.limit) }
  return call(context, 'search', { query: text, ...limit, ...options })
}

/** `gossamer ask QUESTION [JSON]` */
export const askCommand: Command = async (context) => {
  const { text, options } = phraseIn(context.words, { jobId: 'ID' })
  if (text === '') throw usageError('ask')
  return call(context, 'support_ask', { question: text, ...options })
}
