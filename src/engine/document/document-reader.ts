import type { Ports } from '../../contracts/ports.ts'
import type { ConverterPool } from './converter-pool.ts'
import { convert } from './convert.ts'
import type { Converted } from './converter.ts'
import { isTextKind } from './media-types.ts'
import type {
  DocumentKind,
  DocumentRequest,
  PageContent,
  PagePart,
  ReadDocument,
} from '../../contracts/page-content.ts'

/** Text needs only a walk over its characters; for an image, only the header is read. */
const isLight = (kind: DocumentKind) => isTextKind(kind) || kind === 'image'
/**
 * Maximum size in bytes of light kinds converted in this process, which takes a few milliseconds; starting a process
 * takes a hundred.
 */
const maxBytesHere = 200_000

/**
 * Reads files that are not HTML: small texts in this process, others in a child process. The resulting HTML is read
 * like any page.
 */
export function createDocumentReader(
  ports: Pick<Ports, 'readHtml'>,
  children: () => Promise<ConverterPool>,
): ReadDocument {
  return async (request, signal) => {
    const { kind, bytes, url, contentType, pdf, teamId, isGivenUp } = request
    const source = { bytes, url, contentType, pdf, isGivenUp }
    const isHere = isLight(kind) && bytes.byteLength <= maxBytesHere
    const converted = isHere
      ? await convert(kind, source)
      : await (await children()).convert({ teamId, kind, source }, signal)
    signal.throwIfAborted()
    return { ...(await partsOf(ports, request, converted, signal)), kind, ...countOf(converted) }
  }
}

const countOf = ({ numPages, warning }: Converted) => ({
  ...(numPages !== undefined && { numPages }),
  ...(warning !== undefined && { warning }),
})

async function partsOf(
  { readHtml }: Pick<Ports, 'readHtml'>,
  request: DocumentRequest,
  converted: Converted,
  signal: AbortSignal,
): Promise<PageContent> {
  const { kind: _, bytes: _bytes, contentType: _type, pdf: _pdf, ...wish } = request
  const { metadata = {} } = converted
  if ('markdown' in converted) return { ...textParts(converted.markdown, wish.wanted), metadata }
  // A file is content throughout: there is no navigation to drop, and a browser would add nothing.
  const { needsBrowser: _empty, ...parts } = await readHtml(
    { ...wish, html: converted.html, onlyMainContent: false },
    signal,
  )
  return { ...parts, ...(parts.metadata && { metadata: { ...parts.metadata, ...metadata } }) }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** HTML of a long text doubles the memory, so it is created only on request. */
const textParts = (markdown: string, wanted: readonly PagePart[]): PageContent => ({
  markdown,
  ...(wanted.includes('html') && {
    html: `<pre>${markdown.replace(/[&<>]/g, (character) => escapes[character] ?? character)}</pre>`,
  }),
  links: [],
  anchors: [],
  images: [],
  attributes: [],
})
