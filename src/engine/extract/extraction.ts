import type { Ports } from '../../contracts/ports.ts'
import type { ScrapePorts } from '../scrape/scrape.ts'
import { stepEach } from '../workflow/each.ts'
import type { WorkflowDefinition, WorkflowRun } from '../workflow/run.ts'
import { failure } from '../../kernel/error.ts'
import { choosePages, type ChoosePorts } from './choose-pages.ts'
import { endEvents } from './events.ts'
import { fieldsOf, missingFrom, onlyNamed } from './fields.ts'
import { mergePages } from './merge.ts'
import { type PageData, readPage } from './read-page.ts'
import type { ExtractRequest } from './start.ts'

/** Chooses the pages, reads each in a step of its own, and merges what they say. */
export function extraction(ports: ScrapePorts & ChoosePorts & Pick<Ports, 'account'>): WorkflowDefinition {
  return {
    async run(workflow) {
      const request = workflow.request as ExtractRequest
      const urls = await choosePages(ports, request, workflow)
      const pages = await stepEach(ports, workflow, urls, {
        name: (url) => `page ${url}`,
        do: (url) => readPage(ports, url, request, workflow),
      })
      return resultOf(pages, request, workflow)
    },
    events: (workflow, end) => endEvents(workflow, end, ports.clock.now()),
  }
}

function resultOf(pages: readonly PageData[], { schema, showSources }: ExtractRequest, { warn }: WorkflowRun): object {
  const read = pages.flatMap((page) => ('json' in page ? [page] : []))
  const trouble = troubleOf(pages)
  if (read.length === 0) throw failure('NO_PAGE_READ', { message: `No page could be read${trouble}.` })
  if (read.length < pages.length)
    warn(`${pages.length - read.length} of ${pages.length} pages could not be read${trouble}.`)
  const byHand = read.filter(({ madeBy }) => madeBy === 'built-in').length
  if (byHand > 0) warn(`${byHand} of ${read.length} pages were read by the built-in method, without a language model.`)
  const { data, sources, disputed } = mergePages(read.map(({ url, json }) => ({ url, json: onlyNamed(json, schema) })))
  for (const note of notesOn(schema, data, disputed)) warn(note)
  return { data: data ?? {}, ...(showSources && { sources }) }
}

/** Error codes and states, each with the number of pages. */
function troubleOf(pages: readonly PageData[]): string {
  const reasons = Map.groupBy(
    pages.flatMap((page) => ('trouble' in page ? [page.trouble] : [])),
    (reason) => reason,
  )
  const listed = [...reasons].map(([reason, { length }]) => (length > 1 ? `${reason} ×${length}` : reason))
  return listed.length > 0 ? ` (${listed.join(', ')})` : ''
}

const maxListed = 12

/** Names of fields are the caller's where there is a schema; otherwise they may be words of a page. */
function notesOn(schema: object | undefined, data: unknown, disputed: readonly string[]): string[] {
  if (!schema) return []
  const fields = fieldsOf(schema)
  const known = disputed.filter((path) => fields.includes(path))
  const missing = missingFrom(data, fields)
  return [
    ...(known.length > 0 ? [`The pages disagree on ${listOf(known)}; what most sites say was taken.`] : []),
    ...(missing.length > 0 ? [`Not found on any page: ${listOf(missing)}.`] : []),
  ]
}

function listOf(paths: readonly string[]): string {
  const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more` : ''
  return `${paths.slice(0, maxListed).join(', ')}${more}`
}
