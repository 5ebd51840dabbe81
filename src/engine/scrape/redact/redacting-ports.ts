import type { PageResponse } from '../../../contracts/fetch.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Document } from '../../../schema/scrape/document.ts'
import type { Redaction } from '../../../schema/scrape/scrape-options.ts'
import { kindOf } from '../../document/kind.ts'
import { isTextKind, type Kind } from '../../document/media-types.ts'
import { decodeText } from '../../net/charset.ts'
import type { PageView } from '../formats/format-maker.ts'
import { needsModel, refuseRedaction } from '../plan.ts'
import type { Finders } from './find-spans.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import { overriding } from '../../../util/async.ts'
import { isRecord } from '../../../util/json.ts'
import { instructions } from '../../model/instructions.ts'
import { askParts, closed, type PageModel, type PageQuestion } from '../../model/page/page-model.ts'

type ReadingPorts = Pick<Ports, 'readHtml' | 'readDocument'>
type LoadingPorts = ReadingPorts & Pick<Ports, 'fetchPage' | 'renderPage' | 'pages' | 'snapshots'>

export type Redacting = Redactor & {
  /** Redacts the body of a text page; other files are redacted by `content`, after they have been read. */
  page<T extends Pick<PageResponse, 'url' | 'headers' | 'body'>>(page: T): Promise<T>
  content(content: PageContent): Promise<PageContent>
  /** Writes the replaced parts in the requested style, and adds a warning if personal data may be left. */
  document(document: Document): Document
}

type Options = {
  redaction: Redaction
  location?: string | undefined
  /** URL of the page; undefined for a file. */
  url?: string
  teamId: string
  signal: AbortSignal
  model: PageView['model']
}

const noModel =
  'Names and postal addresses were not replaced: that requires a language model (GOSSAMER_MODEL) and a mode other than fast.'
const partly = 'Only a part of the page was searched for names and postal addresses.'

/** Returns the headers for a body that was converted to UTF-8. */
function asUtf8(headers: PageResponse['headers']): PageResponse['headers'] {
  const { 'content-type': type } = headers
  return type === undefined
    ? headers
    : { ...headers, 'content-type': `${type.replace(/;.*/s, '').trim()}; charset=utf-8` }
}

/** Redacts pages as they are received, before anything else reads them. Fails with FEATURE_UNAVAILABLE. */
export async function openRedacting(ports: ReadingPorts, options: Options): Promise<Redacting> {
  const { redaction, teamId, signal } = options
  const model = typeof options.model === 'string' || redaction.mode === 'fast' ? undefined : options.model
  refuseRedaction(redaction, model !== undefined)
  const wantsNames = redaction.entities === undefined || needsModel(redaction)
  const redactor = await createRedactor(redaction, options)
  const state = { isPartial: false, kind: 'html' as Kind }

  async function learn(text: string): Promise<void> {
    if (!model || !wantsNames || text.trim() === '') return
    const { named, isPartial } = await namedByModel(model, text)
    redactor.learn(named)
    state.isPartial ||= isPartial
  }

  async function learnFromHtml(html: string, url: string): Promise<void> {
    if (!model || !wantsNames) return
    const wanted = ['markdown', 'metadata', 'structuredData'] as const
    const all = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: false }
    const read = await ports.readHtml({ ...all, teamId, html, url, wanted, attributes: [] }, signal)
    await learn(JSON.stringify([read.metadata, read.structuredData]) + (read.markdown ?? ''))
  }

  return {
    ...redactor,
    async page(page) {
      const { body, headers, url } = page
      const type = headers['content-type']
      const kind = kindOf(type, body, url)
      state.kind = kind
      // The source of a mail may be encoded, so its text is redacted after it has been read.
      if (!isTextKind(kind) || kind === 'mail') return page
      const { text } = decodeText(body, type)
      const isHtml = kind === 'html'
      const first = isHtml ? redactor.html(text, url) : redactor.text(text)
      await (isHtml ? learnFromHtml(first, url) : learn(first))
      const redacted = isHtml ? redactor.html(first, url) : redactor.text(first)
      return { ...page, body: new TextEncoder().encode(redacted), headers: asUtf8(headers) }
    },
    async content(content) {
      const first = redactor.values(content)
      await learn(first.markdown ?? '')
      return redactor.values(first)
    },
    document(document) {
      const left = !wantsNames ? undefined : model ? (state.isPartial ? partly : undefined) : noModel
      const { rawHtml, ...read } = document
      const { warning, ...fields } = redactor.finish(read)
      const source = state.kind === 'html' ? redactor.finish({ rawHtml }) : { rawHtml: redactor.finish([rawHtml])[0] }
      const warnings = [warning, left].filter((each) => each !== undefined)
      return {
        ...fields,
        ...(source.rawHtml !== undefined && { rawHtml: state.kind === 'mail' ? '' : source.rawHtml }),
        ...(warnings.length > 0 && { warning: warnings.join(' ') }),
      }
    },
  }
}

/** Returns ports that redact every page, file and earlier snapshot, and cache nothing. */
export function redactingPorts<P extends LoadingPorts>(ports: P, redacting: Redacting): P {
  const { fetchPage, renderPage, readDocument, pages, snapshots } = ports
  const found = new Map<string, { url: string; headers: PageResponse['headers'] }>()
  return {
    ...ports,
    fetchPage: async (request) => redacting.page(await fetchPage(request)),
    renderPage: async (request) => {
      const page = await redacting.page(await renderPage(request))
      return { ...page, live: redacting.values(page.live) }
    },
    readDocument: async (request, signal) => redacting.content(await readDocument(request, signal)),
    pages: overriding(pages, {
      async find(key) {
        const page = await pages.find(key)
        if (page) found.set(key, page)
        return page && { ...page, headers: asUtf8(page.headers), made: {} }
      },
      async body(key) {
        const [body, page] = [await pages.body(key), found.get(key)]
        return body && page && (await redacting.page({ url: page.url, headers: page.headers, body })).body
      },
      addMade: async () => {},
    }),
    snapshots: overriding(snapshots, {
      async last(...which) {
        return redacting.values(await snapshots.last(...which))
      },
    }),
  }
}

const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const schema = closed({
  people: texts('Names of persons, in each form in which they are written.'),
  places: texts('Postal addresses of persons, each line of its own.'),
})
/** Minimum length of a name; a shorter one would match too many words. */
const minLength = 3

/** Returns the names and addresses that a model finds in a text. */
async function namedByModel(model: PageModel, text: string): Promise<{ named: Finders['named']; isPartial: boolean }> {
  const question: PageQuestion = {
    task: 'redact',
    effort: 'fast',
    maxOutputTokens: 4000,
    system: instructions.redact,
    page: text,
  }
  const { value, isPartial } = await askParts(model, question, '', (part) => model.object({ ...part, schema }))
  const listed = (field: string) =>
    value.flatMap((each) => (isRecord(each) && Array.isArray(each[field]) ? (each[field] as unknown[]) : []))
  const named = (field: string, kind: 'PERSON' | 'LOCATION') =>
    [...new Set(listed(field))]
      .filter((each): each is string => typeof each === 'string' && each.trim().length >= minLength)
      .map((each) => ({ text: each.trim(), kind }))
  return { named: [...named('people', 'PERSON'), ...named('places', 'LOCATION')], isPartial }
}
