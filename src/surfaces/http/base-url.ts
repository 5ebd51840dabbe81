export type BaseUrlRules = {
  /** The address under which the service is published; wins over everything a request says. */
  publicUrl?: string | undefined
  /** Believe X-Forwarded-* and Forwarded. Only right when a proxy that sets them is the one way in. */
  trustProxy?: boolean | undefined
}

type Seen = { scheme: string | undefined; host: string | undefined }

const validHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Scheme and host under which a caller reached the service, without a trailing slash. */
export function baseUrlOf(request: Request, { publicUrl, trustProxy }: BaseUrlRules): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const own = new URL(request.url)
  const seen = trustProxy ? forwarded(request.headers) : undefined
  return `${seen?.scheme ?? own.protocol.slice(0, -1)}://${seen?.host ?? own.host}`
}

/** Whether a page of this service sends the request. A proxy may have changed its scheme. */
export function isOwnOrigin(request: Request, rules: BaseUrlRules): boolean {
  const host = URL.parse(request.headers.get('origin') ?? '')?.host
  return host !== undefined && [request.url, baseUrlOf(request, rules)].some((url) => new URL(url).host === host)
}

/** What the outermost proxy saw: the first value of each header. RFC 7239 for Forwarded. */
function forwarded(headers: Headers): Seen {
  const standard = headers.get('forwarded')?.split(',')[0] ?? ''
  const said = (name: string) => new RegExp(`(?:^|;)\\s*${name}="?([^";]+)`, 'i').exec(standard)?.[1]
  const scheme = first(headers.get('x-forwarded-proto')) ?? said('proto')
  const host = first(headers.get('x-forwarded-host')) ?? said('host')
  return {
    scheme: /^https?$/i.test(scheme ?? '') ? scheme?.toLowerCase() : undefined,
    host: validHost.test(host ?? '') ? host : undefined,
  }
}

function first(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}
