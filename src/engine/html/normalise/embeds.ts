import { absoluteUrl } from '../survey.ts'
import type { ContentView } from './view.ts'

/** A video frame becomes a link to the video. Frames of other kinds are gone by now. */
export function normaliseEmbeds(view: ContentView): void {
  for (const frame of view.named('iframe')) {
    const address = absoluteUrl(frame.getAttribute('src') ?? '', view.base)
    if (!address) {
      frame.remove()
      continue
    }
    const document = frame.ownerDocument
    const link = document.createElement('a')
    link.setAttribute('href', address)
    link.textContent = frame.getAttribute('title')?.trim() || address
    const paragraph = document.createElement('p')
    paragraph.append(link)
    frame.replaceWith(paragraph)
  }
}
