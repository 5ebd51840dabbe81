/** Replacements for packages bundled by Playwright, most of which serve terminals, logging and other programs. */

type Paint = { (text: string): string; [colour: string]: Paint }
/** Colours are omitted, because there is no terminal. */
export const colors: Paint = new Proxy(((text: string) => text) as Paint, { get: () => colors })

export const debug = Object.assign(() => Object.assign(() => {}, { enabled: false }), {
  enable() {},
  enabled: () => false,
})
export const getEastAsianWidth = { eastAsianWidth: () => 1 }

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bin: 'application/octet-stream',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  gz: 'application/gzip',
  html: 'text/html',
  htm: 'text/html',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wasm: 'application/wasm',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml',
  zip: 'application/zip',
}
export const mime = {
  getType: (path: string): string | null => types[/[^./\\]*$/.exec(path)![0].toLowerCase()] ?? null,
  getExtension: (type: string): string | null =>
    Object.keys(types).find((ending) => types[ending] === type.split(';', 1)[0]!.trim()) ?? null,
}
