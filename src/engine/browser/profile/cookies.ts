import type { CookieParam } from '../cdp/shapes.ts'
import type { ProfileCookie } from '../../../contracts/profile-state.ts'
import type { StorageContext } from './storage-page.ts'

/** All cookies of a context, session cookies included: most logins consist of them. */
export async function collectCookies(
  { connection, contextId }: StorageContext,
  signal: AbortSignal,
): Promise<ProfileCookie[]> {
  const { cookies } = await connection.browser.send('Storage.getCookies', { browserContextId: contextId }, signal)
  return cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey }) => ({
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    ...(sameSite && { sameSite }),
    ...(partitionKey && {
      partitionKey: partitionKey.topLevelSite,
      _crHasCrossSiteAncestor: partitionKey.hasCrossSiteAncestor,
    }),
  }))
}

/** Sets the cookies that have not expired, and returns how many the browser refused. */
export async function restoreCookies(
  { connection, contextId }: StorageContext,
  cookies: readonly ProfileCookie[],
  signal: AbortSignal,
): Promise<number> {
  const nowSeconds = Date.now() / 1000
  const current = cookies.filter(({ expires }) => expires < 0 || expires > nowSeconds).map(paramOf)
  const set = (batch: readonly CookieParam[]) =>
    connection.browser.send('Storage.setCookies', { cookies: batch, browserContextId: contextId }, signal)
  if (current.length === 0) return 0
  try {
    await set(current)
    return 0
  } catch {
    // One invalid cookie makes the browser refuse them all.
    signal.throwIfAborted()
    const results = await Promise.allSettled(current.map((cookie) => set([cookie])))
    return results.filter(({ status }) => status === 'rejected').length
  }
}

function paramOf({ expires, sameSite, partitionKey, _crHasCrossSiteAncestor, ...cookie }: ProfileCookie): CookieParam {
  return {
    ...cookie,
    ...(expires >= 0 && { expires }),
    ...(sameSite && { sameSite }),
    ...(partitionKey !== undefined && {
      partitionKey: { topLevelSite: partitionKey, hasCrossSiteAncestor: _crHasCrossSiteAncestor ?? true },
    }),
  }
}
