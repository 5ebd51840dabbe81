import type { CdpMessage } from '../../../browser/cdp/wire.ts'

/** Programs insist on these, which are not for code to choose: a folder for downloads, and the end of a browser that only they leave. */
const idle = new Set(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior', 'Browser.close'])

/** The answer to a call that would be refused and does nothing here. */
export function answeredHere({ id, method = '', sessionId }: CdpMessage): CdpMessage | undefined {
  if (!idle.has(method)) return undefined
  return { ...(id !== undefined && { id }), result: {}, ...(sessionId !== undefined && { sessionId }) }
}

/** Programs start on the first page that they are told of. */
export function withFirst(message: CdpMessage, pageId: string | undefined): CdpMessage {
  const all = message.result?.['targetInfos'] as { targetId: string }[] | undefined
  if (!Array.isArray(all) || pageId === undefined) return message
  const isFirst = ({ targetId }: { targetId: string }) => Number(targetId === pageId)
  return { ...message, result: { ...message.result, targetInfos: all.toSorted((a, b) => isFirst(b) - isFirst(a)) } }
}
