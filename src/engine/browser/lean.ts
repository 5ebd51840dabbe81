import { hushImages } from './in-page/hush-images.ts'
import type { Tab } from './tab.ts'

/** What carries no text, by the ending of its address. Drawings (svg) stay: pages also fetch and read them. */
const endings =
  'png jpg jpeg jpe jfif gif webp avif bmp ico tif tiff woff woff2 ttf otf eot mp4 m4v webm ogv mov mp3 m4a ogg oga wav flac'.split(
    ' ',
  )
const urls = endings.flatMap((ending) => [`*.${ending}`, `*.${ending}?*`])

/**
 * Leaves out pictures, fonts and media where nobody looks at the page: half of what a page costs in a browser. Their failure
 * is kept from the page, which might put stand-ins in their place. To be done before the first navigation.
 */
export async function loadLean({ session }: Tab, signal: AbortSignal): Promise<void> {
  const source = `(${hushImages.toString()})()`
  await Promise.all([
    session.send('Network.setBlockedURLs', { urls }, signal),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: 'gossamer' }, signal),
  ])
}
