import type { Media } from '../../../contracts/page-content.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'
import { classOf, closest, type Element, metaName } from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { listOf, type Entity, textOf, typesOf, jsonLdData, entitiesIn } from '../facts/json-ld.ts'
import { mediaFile, type NamedMedia, unsure } from './media-file.ts'

type Candidate = { kind: 'audio' | 'video'; url: string; originRank: number; rank: number; size: number }

/** Sources of media URLs, the most reliable first. */
const originsByTrust = ['player', 'data', 'openGraph', 'card', 'link', 'anchor', 'decoration', 'guess'] as const

/**
 * Returns the audio and video that a page is about: media played on it, named by its structured data or meta tags, or
 * the only file it links to. Returns http and https URLs only; of several files, one from the most reliable source, then
 * of the most playable type, then the largest.
 */
export function mediaOf(elements: ElementIndex, base: string): Media {
  const named = [...playedMedia(elements), ...namedMedia(elements, base)]
  const candidates = named.flatMap((each) => candidateOf(each, base) ?? []).filter(({ url }) => url !== base)
  const audio = bestOf(candidates, 'audio')
  const video = bestOf(candidates, 'video')
  return { ...(audio !== undefined && { audio }), ...(video !== undefined && { video }) }
}

function candidateOf({ source, type, kind, origin, size = 0 }: NamedMedia, base: string): Candidate | undefined {
  const url = typeof source === 'string' && source.trim() !== '' ? absoluteUrl(source, base) : undefined
  if (!url || !/^https?:/.test(url)) return undefined
  const file = mediaFile(url, type)
  const itsKind = file.kind ?? kind
  // Metadata without a file extension or media type names a page with a player as often as a file.
  const isVague = file.rank === unsure && metadataOrigins.includes(origin)
  if (!itsKind || (isVague && origin !== 'data')) return undefined
  return { kind: itsKind, url, originRank: originsByTrust.indexOf(isVague ? 'guess' : origin), rank: file.rank, size }
}

function bestOf(candidates: readonly Candidate[], kind: Candidate['kind']): string | undefined {
  const [best] = candidates
    .filter((each) => each.kind === kind)
    .toSorted((one, other) => one.originRank - other.originRank || one.rank - other.rank || other.size - one.size)
  return best?.url
}

/** Yields the sources of the audio and video elements, including decorative ones. */
function* playedMedia(elements: ElementIndex): Generator<NamedMedia> {
  for (const player of elements.named('audio', 'video')) yield playedBy(player, player)
  for (const source of elements.named('source')) {
    const player = closest(source, ({ localName }) => /^(?:audio|video|picture)$/.test(localName), 4)
    if (player && player.localName !== 'picture') yield playedBy(source, player)
  }
}

function playedBy(element: Element, player: Element): NamedMedia {
  return {
    source: element.getAttribute('src') || element.getAttribute('data-src'),
    type: element.getAttribute('type'),
    kind: player.localName === 'audio' ? 'audio' : 'video',
    origin: isDecoration(player) ? 'decoration' : 'player',
    size: linesOf(element) ?? linesOf(player) ?? 0,
  }
}

/**
 * True for a muted video that plays automatically without controls, and for one in the navigation, footer or sidebar.
 */
function isDecoration(player: Element): boolean {
  const isSilent = player.hasAttribute('muted') && (player.hasAttribute('loop') || player.hasAttribute('autoplay'))
  return (isSilent && !player.hasAttribute('controls')) || isInFrame(player)
}

const sizes = ['size', 'res', 'label', 'title', 'data-res', 'data-quality', 'height']

/** Returns the vertical resolution from the attributes that players set on a source. */
const linesOf = (element: Element): number | undefined =>
  sizes
    .map((name) => Number(/\d{3,4}/.exec(element.getAttribute(name)?.slice(0, 100) ?? '')?.[0] ?? 0))
    .find((lines) => lines > 0)

/** Sources of URLs that visitors do not see. */
const metadataOrigins: readonly string[] = ['data', 'openGraph', 'card', 'link']

/** Yields media named in structured data, in meta tags and by links. */
function* namedMedia(elements: ElementIndex, base: string): Generator<NamedMedia> {
  for (const node of jsonLdData(elements).flatMap((data) => [...entitiesIn(data)])) yield* fromEntity(node)
  yield* fromMetaTags(elements)
  yield* fromLinkElements(elements)
  yield* fromAnchors(elements, base)
}

const fields = [
  ['contentUrl', undefined],
  ['audio', 'audio'],
  ['video', 'video'],
] as const

/** contentUrl is the file itself, embedUrl a page with a player (schema.org MediaObject). */
function* fromEntity(node: Entity): Generator<NamedMedia> {
  const types = typesOf(node).join(' ')
  const own = /Audio|Podcast|Music/.test(types) ? 'audio' : /Video|Clip|Movie/.test(types) ? 'video' : undefined
  const type = textOf(node['encodingFormat'] ?? node['fileFormat'])
  const size = Number(/\d{3,4}/.exec(textOf(node['height']) ?? '')?.[0] ?? 0)
  for (const [field, kind = own] of fields)
    for (const source of listOf(node[field]).slice(0, 20)) yield { source, type, kind, origin: 'data', size }
}

type Tag = { name: string; content: string }
const addressTag = /^(og:audio|og:video|twitter:player:stream)(?::url|:secure_url)?$/

/** Open Graph properties of a URL follow it, up to the next URL (ogp.me); a page with a player has type text/html. */
function* fromMetaTags(elements: ElementIndex): Generator<NamedMedia> {
  const tags = elements.named('meta').map((meta) => ({
    name: metaName(meta),
    content: meta.getAttribute('content') ?? '',
  }))
  for (const [at, { name, content }] of tags.entries()) {
    const [, stem] = addressTag.exec(name) ?? []
    if (!stem) continue
    const type = factAfter(tags, at, [`${stem}:type`, `${stem}:content_type`])
    if (type && !/^(?:audio|video)\/|mpegurl|dash\+xml/i.test(type)) continue
    const size = Number(factAfter(tags, at, [`${stem}:height`])) || 0
    const kind = stem === 'og:audio' ? 'audio' : 'video'
    yield { source: content, type, kind, origin: stem.startsWith('og') ? 'openGraph' : 'card', size }
  }
}

function factAfter(tags: readonly Tag[], at: number, names: readonly string[]): string | undefined {
  const after = tags.slice(at + 1, at + 10)
  const end = after.findIndex(({ name }) => name === tags[at]?.name)
  return after.slice(0, end < 0 ? undefined : end).find(({ name }) => names.includes(name))?.content
}

function* fromLinkElements(elements: ElementIndex): Generator<NamedMedia> {
  for (const link of elements.named('link')) {
    const relation = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/)
    const as = link.getAttribute('as')
    const kind = as === 'audio' || as === 'video' ? as : undefined
    if (relation.includes('enclosure') || (relation.includes('preload') && kind))
      yield { source: link.getAttribute('href'), type: link.getAttribute('type'), kind, origin: 'link' }
  }
}

/** Most links lead to pages; this rules them out without parsing the URL. */
const mayBeFile = /\.\w{2,4}\s*(?:[?#]|$)/

/** A page that links to one file, possibly in several qualities, is about it; one that links to many is a list. */
function* fromAnchors(elements: ElementIndex, base: string): Generator<NamedMedia> {
  const links = elements.named('a').flatMap((link) => {
    const href = link.getAttribute('href') ?? ''
    const type = link.getAttribute('type')
    const source = type || mayBeFile.test(href) ? absoluteUrl(href, base) : undefined
    const kind = source && mediaFile(source, type).kind
    return kind && !isInFrame(link) ? [{ link, source, type, kind }] : []
  })
  for (const its of Map.groupBy(links, ({ kind }) => kind).values()) {
    if (new Set(its.map(({ source }) => stemOf(source))).size !== 1) continue
    for (const { link, source, type, kind } of its) {
      const words = `${link.textContent.slice(0, 100)} ${classOf(link)} ${source}`
      yield { source, type, kind, origin: 'anchor', size: Number(/(\d{3,4})p\b/.exec(words)?.[1] ?? 0) }
    }
  }
}

/** Returns the path of a file without its extension and quality suffix. */
const stemOf = (url: string): string =>
  (URL.parse(url)?.pathname ?? '')
    .replace(/\.\w+$/, '')
    .replace(/[._-]?(?:\d{3,4}p|hd|sd|low|high|medium|\d{1,6}k(?:bps)?)$/i, '')

const isInFrame = (element: Element): boolean =>
  closest(element, ({ localName }) => /^(?:nav|footer|aside)$/.test(localName)) !== undefined
