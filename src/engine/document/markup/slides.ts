import { element, escapeHtml, heading, isBlank } from './markup.ts'

/** A place on a slide; any unit, the same for all of a slide. */
export type Place = { x: number; y: number }
export type Slide = {
  /** Finished HTML of one line; empty where the slide has no title. */
  title: string
  shapes: readonly { place: Place | undefined; html: string }[]
  notesHtml: string
}

/** Slides one after another: title, content in the order it is read, notes of the speaker. */
export function slidesHtml(slides: readonly { slide: Slide; number: number }[], bandHeight: number): string {
  return slides.map(({ slide, number }) => slideHtml(slide, number, bandHeight)).join('')
}

function slideHtml({ title, shapes, notesHtml }: Slide, number: number, bandHeight: number): string {
  const body = inReadingOrder(shapes, bandHeight).map(({ html }) => html)
  const notes = isBlank(notesHtml) ? '' : element('blockquote', `<p>Notes:</p>${notesHtml}`)
  return heading(2, isBlank(title) ? escapeHtml(`Slide ${number}`) : title) + body.join('') + notes
}

/** Row by row from the top, and from the left in a row; what has no place of its own stays where it is written, first. */
function inReadingOrder(shapes: Slide['shapes'], bandHeight: number): Slide['shapes'] {
  const band = ({ place }: Slide['shapes'][number]) => (place ? Math.round(place.y / bandHeight) : -1e9)
  return shapes.toSorted((a, b) => band(a) - band(b) || (a.place?.x ?? 0) - (b.place?.x ?? 0))
}

export const hiddenSlides = (count: number) => (count > 0 ? { warning: `Hidden slides left out: ${count}.` } : {})
