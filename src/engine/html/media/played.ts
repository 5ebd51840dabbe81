import { closest, type Element } from '../dom.ts'
import type { NamedMedia } from './file.ts'
import type { Survey } from '../survey.ts'

/** What the players of a page play, also those that run as decoration. */
export function* playedMedia(survey: Survey): Generator<NamedMedia> {
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

export const isInFrame = (element: Element): boolean =>
  closest(element, ({ localName }) => /^(?:nav|footer|aside)$/.test(localName)) !== undefined

const sizes = ['size', 'res', 'label', 'title', 'data-res', 'data-quality', 'height']

/** Lines of the picture, from what players write beside a source. */
const linesOf = (element: Element): number | undefined =>
  sizes
    .map((name) => Number(/\d{3,4}/.exec(element.getAttribute(name)?.slice(0, 100) ?? '')?.[0] ?? 0))
    .find((lines) => lines > 0)
