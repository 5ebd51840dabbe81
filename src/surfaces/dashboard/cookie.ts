/** Servers on other ports of one host see the same cookies, so the name holds the port. */
const nameOf = (baseUrl: string) => {
  const { port, protocol } = new URL(baseUrl)
  return `gossamer-dashboard-${port || (protocol === 'https:' ? '443' : '80')}`
}

export function sessionIdOf(request: Request, baseUrl: string): string | undefined {
  const name = nameOf(baseUrl)
  const pairs = (request.headers.get('cookie') ?? '').split(/; */)
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Without an id it takes the cookie away. */
export function sessionCookie(baseUrl: string, id?: string): string {
  const isSecure = baseUrl.startsWith('https:')
  const ends = id === undefined ? ['Max-Age=0'] : []
  return [`${nameOf(baseUrl)}=${id ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', ...ends]
    .concat(isSecure ? ['Secure'] : [])
    .join('; ')
}
