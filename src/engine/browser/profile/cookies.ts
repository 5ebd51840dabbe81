import type { CookieParam } from '../cdp/shapes.ts'
import type { ProfileCookie } from '../../../contracts/profile-state.ts'
import type { StatePlace } from './storage-page.ts'

/** All cookies of a context, those that end with the session too: they are what most logins consist of. */
export async function collectCookies(
  { connection, contextId }: StatePlace,
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

/** Sets the cookies that have not expired, and tells how many the browser refused. */
export async function restoreCookies(
  { connection, contextId }: StatePlace,
  cookies: readonly ProfileCookie[],
  signal: AbortSignal,
): Promise<number> {
  const nowSeconds = Date.now() / 1000
  const wanted = cookies.filter(({ expires }) => expires < 0 || expires > nowSeconds).map(paramOf)
  const set = (some: readonly CookieParam[]) =>
    connection.browser.send('Storage.setCookies', { cookies: some, browserContextId: contextId }, signal)
  if (wanted.length === 0) return 0
  try {
    await set(wanted)
    return 0
  } catch {
    // One that is faulty makes the browser refuse them all.
    signal.throwIfAborted()
    const results = await Promise.allSettled(wanted.map((cookie) => set([cookie])))
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
