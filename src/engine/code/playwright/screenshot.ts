import type { Session } from '../../browser/cdp/session.ts'

type Clip = { x: number; y: number; width: number; height: number }
export type ScreenshotOptions = {
  type?: 'png' | 'jpeg'
  quality?: number
  fullPage?: boolean
  clip?: Clip
}
export type PdfOptions = {
  landscape?: boolean
  scale?: number
  printBackground?: boolean
  preferCSSPageSize?: boolean
  format?: string
}

/** Paper sizes, inches. */
const formats: Record<string, readonly [number, number]> = {
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  ledger: [17, 11],
  a2: [16.54, 23.4],
  a3: [11.7, 16.54],
  a4: [8.27, 11.7],
  a5: [5.83, 8.27],
  a6: [4.13, 5.83],
}
/** Chromium's limit for one side of a screenshot, pixels. */
const maxHeight = 16_384

export async function screenshot(session: Session, options: ScreenshotOptions = {}): Promise<Buffer> {
  const { cssVisualViewport: view, cssContentSize: content } = await session.send('Page.getLayoutMetrics', {})
  const whole = { x: 0, y: 0, width: content.width, height: Math.min(content.height, maxHeight) }
  const shifted = options.clip && { ...options.clip, x: options.clip.x + view.pageX, y: options.clip.y + view.pageY }
  const clip = shifted ?? (options.fullPage ? whole : undefined)
  const format = options.type ?? 'png'
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    ...(format === 'jpeg' && options.quality !== undefined && { quality: options.quality }),
    ...(clip && { clip: { ...clip, scale: 1 }, captureBeyondViewport: true }),
  })
  return Buffer.from(data, 'base64')
}

export async function printPdf(session: Session, { format, ...options }: PdfOptions = {}): Promise<Buffer> {
  const paper = format === undefined ? undefined : formats[format.toLowerCase()]
  if (format !== undefined && !paper) throw new Error(`page.pdf: Unknown paper format: ${format}`)
  const { data } = await session.send('Page.printToPDF', {
    landscape: options.landscape ?? false,
    printBackground: options.printBackground ?? false,
    preferCSSPageSize: options.preferCSSPageSize ?? false,
    scale: options.scale ?? 1,
    ...(paper && { paperWidth: paper[0], paperHeight: paper[1] }),
  })
  return Buffer.from(data, 'base64')
}
