import { classOf, closest, type Element } from '../dom/dom.ts'
import { absoluteUrl, type Survey } from '../dom/survey.ts'
import { jsonLdData, nodesIn } from '../page/json-ld.ts'
import { listOf, type Node, textOf, typesOf } from '../product/node.ts'
import { mediaFile, type NamedMedia } from './file.ts'

/** Places that visitors do not see. */
export const ofMachines: readonly string[] = ['data', 'openGraph', 'card', 'link']

/** What a page names beside its players: in structured data, in the tags of its head, and as links. */
export function* namedMedia(survey: Survey, base: string): Generator<NamedMedia> {
  for (const node of jsonLdData(survey).flatMap((data) => [...nodesIn(data)])) yield* ofNode(node)
  yield* ofTags(survey)
  yield* ofLinks(survey)
  yield* ofAnchors(survey, base)
}

const fields = [
  ['contentUrl', undefined],
  ['audio', 'audio'],
  ['video', 'video'],
] as const

/** contentUrl is the file itself, embedUrl a page with a player (schema.org MediaObject). */
function* ofNode(node: Node): Generator<NamedMedia> {
  const types = typesOf(node).join(' ')
  const own = /Audio|Podcast|Music/.test(types) ? 'audio' : /Video|Clip|Movie/.test(types) ? 'video' : undefined
  const type = textOf(node['encodingFormat'] ?? node['fileFormat'])
  const size = Number(/\d{3,4}/.exec(textOf(node['height']) ?? '')?.[0] ?? 0)
  for (const [field, kind = own] of fields)
    for (const source of listOf(node[field]).slice(0, 20)) yield { source, type, kind, place: 'data', size }
}

type Tag = { name: string; content: string }
const addressTag = /^(og:audio|og:video|twitter:player:stream)(?::url|:secure_url)?$/

/** Facts on an address follow it, up to the next one (ogp.me); pages with players say text/html. */
function* ofTags(survey: Survey): Generator<NamedMedia> {
  const tags = survey.named('meta').map((meta) => ({
    name: (meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase(),
    content: meta.getAttribute('content') ?? '',
  }))
  for (const [at, { name, content }] of tags.entries()) {
    const [, stem] = addressTag.exec(name) ?? []
    if (!stem) continue
    const type = factAfter(tags, at, [`${stem}:type`, `${stem}:content_type`])
    if (type && !/^(?:audio|video)\/|mpegurl|dash\+xml/i.test(type)) continue
    const size = Number(factAfter(tags, at, [`${stem}:height`])) || 0
    const kind = stem === 'og:audio' ? 'audio' : 'video'
    yield { source: content, type, kind, place: stem.startsWith('og') ? 'openGraph' : 'card', size }
  }
}

function factAfter(tags: readonly Tag[], at: number, names: readonly string[]): string | undefined {
  const after = tags.slice(at + 1, at + 10)
  const end = after.findIndex(({ name }) => name === tags[at]?.name)
  return after.slice(0, end < 0 ? undefined : end).find(({ name }) => names.includes(name))?.content
}

function* ofLinks(survey: Survey): Generator<NamedMedia> {
  for (const link of survey.named('link')) {
    const relation = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/)
    const as = link.getAttribute('as')
    const kind = as === 'audio' || as === 'video' ? as : undefined
    if (relation.includes('enclosure') || (relation.includes('preload') && kind))
      yield { source: link.getAttribute('href'), type: link.getAttribute('type'), kind, place: 'link' }
  }
}

/** Most links lead to pages; this tells it before an address is parsed. */
const mayBeFile = /\.\w{2,4}\s*(?:[?#]|$)/

/** A page that links to one file, also in several forms, is about it; one that links to many is a list. */
function* ofAnchors(survey: Survey, base: string): Generator<NamedMedia> {
  const links = survey.named('a').flatMap((link) => {
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
      yield { source, type, kind, place: 'anchor', size: Number(/(\d{3,4})p\b/.exec(words)?.[1] ?? 0) }
    }
  }
}

/** The name of a file without its ending and what tells its quality. */
const stemOf = (url: string): string =>
  (URL.parse(url)?.pathname ?? '')
    .replace(/\.\w+$/, '')
    .replace(/[._-]?(?:\d{3,4}p|hd|sd|low|high|medium|\d+k(?:bps)?)$/i, '')

export const isInFrame = (element: Element): boolean =>
  closest(element, ({ localName }) => /^(?:nav|footer|aside)$/.test(localName)) !== undefined
