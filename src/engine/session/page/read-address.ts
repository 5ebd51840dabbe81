import { publicNameJudge } from '../../crawl/scope/crawl-place.ts'
import { kindOfName } from '../../document/media-types.ts'

const scheme = /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i
const hostAndPort = /^(\[[\da-f:.]+\]|[^\s/?#:@\\]+)(:\d{1,5})?(?=[/?#]|$)/i
const thisMachine = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i
const ipAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/i
/** Domains of private networks, and domains reserved for examples (RFC 2606, RFC 6762). */
const unlisted = /\.(?:example|internal|invalid|lan|local|test)$/i

/** Returns a parser of typed addresses: hosts as in an address bar, and anything else relative to the page. */
export async function addressReader(): Promise<(given: string, pageUrl: string | undefined) => URL | undefined> {
  const isPublic = await publicNameJudge()
  const isHost = (name: string) =>
    thisMachine.test(name) || ipAddress.test(name) || (name.includes('.') && (unlisted.test(name) || isPublic(name)))
  return (given, pageUrl) => {
    const text = given.trim()
    if (scheme.test(text)) return URL.parse(text) ?? undefined
    const [, host = '', port] = hostAndPort.exec(text) ?? []
    const namesHost = port !== undefined || (isHost(host) && !isFile(text, host))
    const isWebPage = pageUrl !== undefined && /^https?:/.test(pageUrl)
    const url = !namesHost && isWebPage ? URL.parse(text, pageUrl) : URL.parse(`${schemeFor(host, port)}://${text}`)
    return url ?? undefined
  }
}

/** `notes.md` is a file relative to the page, although .md is the top-level domain of Moldova. */
const isFile = (text: string, host: string) => text === host && kindOfName(text) !== undefined

function schemeFor(host: string, port: string | undefined): 'http' | 'https' {
  const isPlain = port === undefined ? thisMachine.test(host) : port !== ':443'
  return isPlain ? 'http' : 'https'
}
