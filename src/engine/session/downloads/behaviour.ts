import { CdpError } from '../../browser/cdp/error.ts'
import type { Connection } from '../../browser/cdp/connection.ts'

type Browser = Connection['browser']
type Wish = Parameters<typeof sendBehaviour>[1]

const sendBehaviour = (
  browser: Pick<Browser, 'send'>,
  wish: {
    behavior: 'deny' | 'allowAndName'
    browserContextId?: string
    downloadPath?: string
    eventsEnabled?: boolean
  },
  signal: AbortSignal,
) => browser.send('Browser.setDownloadBehavior', wish, signal)

/**
 * What becomes of downloads in a context. Chromium 150 knows its default context only where none is named, although it tells
 * the id of that one too; 153 knows it by its id.
 */
export async function setDownloads(
  browser: Pick<Browser, 'send'>,
  wish: Wish & { browserContextId: string },
  signal: AbortSignal,
): Promise<void> {
  const { browserContextId: _, ...ofDefault } = wish
  await sendBehaviour(browser, wish, signal).catch(async (thrown: unknown) => {
    const isUnknown = thrown instanceof CdpError && thrown.message.includes('Failed to find browser context')
    if (!isUnknown) throw thrown
    await sendBehaviour(browser, ofDefault, signal)
  })
}
