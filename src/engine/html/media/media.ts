import type { Media } from '../../../contracts/media.ts'
import { closest, type Element } from '../dom/dom.ts'
import { absoluteUrl, type Survey } from '../dom/survey.ts'
import { mediaFile, type NamedMedia, unsure } from './file.ts'
import { isInFrame, namedMedia, ofMachines } from './named.ts'

type Candidate = { kind: 'audio' | 'video'; url: string; place: number; rank: number; size: number }

/** Where a page says what it is about, the likeliest first. */
const places = ['player', 'data', 'openGraph', 'card', 'link', 'anchor', 'decoration', 'guess'] as const

/**
 * The sound and the film that a page is about: what its players play, what its structured data or its tags name, or the one
 * file it links to. Addresses of http and https only; the largest of the most playable kind where there are several.
 */
export function mediaOf(survey: Survey, base: string): Media {
  const named = [...playedMedia(survey), ...namedMedia(survey, base)]
  const candidates = named.flatMap((each) => candidateOf(each, base) ?? []).filter(({ url }) => url !== base)
  const audio = bestOf(candidates, 'audio')
  const video = bestOf(candidates, 'video')
  return { ...(audio !== undefined && { audio }), ...(video !== undefined && { video }) }
}

function candidateOf({ source, type, kind, place, size = 0 }: NamedMedia, base: string): Candidate | undefined {
  const url = typeof source === 'string' && source.trim() !== '' ? absoluteUrl(source, base) : undefined
  if (!url || !/^https?:/.test(url)) return undefined
  const file = mediaFile(url, type)
  const itsKind = file.kind ?? kind
  // What machines are told without an ending or a type is as often a page with a player.
  const isVague = file.rank === unsure && ofMachines.includes(place)
  if (!itsKind || (isVague && place !== 'data')) return undefined
  return { kind: itsKind, url, place: places.indexOf(isVague ? 'guess' : place), rank: file.rank, size }
}

function bestOf(candidates: readonly Candidate[], kind: Candidate['kind']): string | undefined {
  const [best] = candidates
    .filter((each) => each.kind === kind)
    .toSorted((one, other) => one.place - other.place || one.rank - other.rank || other.size - one.size)
  return best?.url
}

/** What the players of a page play, also those that run as decoration. */
function* playedMedia(survey: Survey): Generator<NamedMedia> {
  for (const player of survey.named('audio', 'video')) yield playedBy(player, player)
  for (const source of survey.named('source')) {
    const player = closest(source, ({ localName }) => /^(?:audio|video|picture)$/.test(localName), 4)
    if (player && player.localName !== 'picture') yield playedBy(source, player)
  }
}

function playedBy(element: Element, player: Element): NamedMedia {
  return {
    source: element.getAttribute('src') || element.getAttribute('data-src'),
    type: element.getAttribute('type'),
    kind: player.localName === 'audio' ? 'audio' : 'video',
    place: isDecoration(player) ? 'decoration' : 'player',
    size: linesOf(element) ?? linesOf(player) ?? 0,
  }
}

/** A film that runs without sound and without controls is a moving picture; one in the frame of a page is not what it is about. */
function isDecoration(player: Element): boolean {
  const isSilent = player.hasAttribute('muted') && (player.hasAttribute('loop') || player.hasAttribute('autoplay'))
  return (isSilent && !player.hasAttribute('controls')) || isInFrame(player)
}

const sizes = ['size', 'res', 'label', 'title', 'data-res', 'data-quality', 'height']

/** Lines of the picture, from what players write beside a source. */
const linesOf = (element: Element): number | undefined =>
  sizes
    .map((name) => Number(/\d{3,4}/.exec(element.getAttribute(name)?.slice(0, 100) ?? '')?.[0] ?? 0))
    .find((lines) => lines > 0)
