import type { Session } from '../cdp/cdp-session.ts'

type Guarding = {
  /** If it rejects, for example because the deciding server is gone, the document is refused. */
  mayOpen(url: string): boolean | Promise<boolean>
  refused?(url: string): void
}

/**
 * Asks for each document of a tab, redirects included, before its request is sent. Documents of frames continue, because
 * they do not leave the page. A refused navigation is aborted, which leaves the page unchanged.
 */
export async function guardDocuments(
  session: Session,
  targetId: string,
  { mayOpen, refused }: Guarding,
  signal?: AbortSignal,
): Promise<void> {
  session.on('Fetch.requestPaused', async ({ requestId, request: { url }, frameId }) => {
    const isAllowed = frameId !== targetId || (await Promise.resolve(mayOpen(url)).catch(() => false))
    if (isAllowed) return void session.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
    refused?.(url)
    void session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] }, signal)
}
