import type { PageAction } from '../../../contracts/render.ts'
import { CdpError } from '../cdp/error.ts'
import { ActionError } from './action-error.ts'
import type { Tab } from './tab.ts'

type PdfAction = Extract<PageAction, { type: 'pdf' }>

/** Width and height of paper in portrait, inches (ISO 216; ANSI). */
const papers: Readonly<Record<string, readonly [number, number]>> = {
  A0: [33.1, 46.8],
  A1: [23.4, 33.1],
  A2: [16.5, 23.4],
  A3: [11.7, 16.5],
  A4: [8.27, 11.7],
  A5: [5.83, 8.27],
  A6: [4.13, 5.83],
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
  Ledger: [17, 11],
}

/** Prints the page as a PDF in a data URL. */
export async function printPdf(
  { session }: Tab,
  { format, landscape, scale }: PdfAction,
  signal: AbortSignal,
): Promise<string> {
  const [paperWidth, paperHeight] = papers[format] ?? [8.5, 11]
  const { data } = await session
    .send('Page.printToPDF', { landscape, scale, paperWidth, paperHeight, printBackground: true }, signal)
    .catch((error: unknown) => {
      if (!(error instanceof CdpError) || error.why !== 'refused') throw error
      throw new ActionError('The browser could not print the page; a smaller scale or a larger format may help.')
    })
  return `data:application/pdf;base64,${data}`
}
