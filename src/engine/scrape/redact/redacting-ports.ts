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
import { namedByModel } from './named-by-model.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import { overriding } from '../../../util/async.ts'

type ReadingPorts = Pick<Ports, 'readHtml' | 'readDocument'>
type LoadingPorts = ReadingPorts & Pick<Ports, 'fetchPage' | 'renderPage' | 'pages' | 'snapshots'>

export type Redacting = Redactor & {
  /** Replaces the body of a page by its redacted text; files are redacted once they have been read. */
  page<T extends Pick<PageResponse, 'url' | 'headers' | 'body'>>(page: T): Promise<T>
  content(content: PageContent): Promise<PageContent>
  /** Writes the replaced parts in the requested style, and adds a warning about what may be left. */
  document(document: Document): Document
}

type Options = {
  redaction: Redaction
  location?: string | undefined
  /** Address of the page, if it has one. */
  url?: string
  teamId: string
  signal: AbortSignal
  model: PageView['model']
}

const noModel =
  'Names and postal addresses were not replaced: that takes a language model (GOSSAMER_MODEL), and mode other than fast.'
const partly = 'Names and postal addresses were looked for in a part of the page only.'

/** Headers of a body that has become UTF-8. */
function asUtf8(headers: PageResponse['headers']): PageResponse['headers'] {
  const { 'content-type': type } = headers
  return type === undefined
    ? headers
    : { ...headers, 'content-type': `${type.replace(/;.*/s, '').trim()}; charset=utf-8` }
}

/** Redacts pages as they arrive, so that nothing after them sees more. Fails with FEATURE_UNAVAILABLE. */
export async function openRedacting(ports: ReadingPorts, options: Options): Promise<Redacting> {
  const { redaction, teamId, signal, model: given } = options
  const model = typeof given === 'string' || redaction.mode === 'fast' ? undefined : given
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
      // The source of a mail may be encoded: its text is redacted once it has been read.
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

/** Ports that redact every page, file and earlier snapshot, and cache nothing. */
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
