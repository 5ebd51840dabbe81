import type { Protocol } from 'devtools-protocol'
import type { RenderRequest, Viewport } from '../../../contracts/render-port.ts'
import type { BrowserVersion } from '../launch/process.ts'
import type { Tab } from '../page/tab.ts'
import { countryProfile, withBaseLanguages } from './countries.ts'

export type EmulationOptions = Pick<RenderRequest, 'mobile' | 'location' | 'skipTlsVerification'> & {
  viewport?: Viewport | undefined
  version: Pick<BrowserVersion, 'userAgent' | 'product'>
  /** User-Agent from the headers of the request; replaces that of the browser. */
  userAgent?: string | undefined
}
export type Metrics = Protocol.Emulation.SetDeviceMetricsOverrideRequest

const desktop: Viewport = { width: 1280, height: 800 }
const phone = { width: 412, height: 915, deviceScaleFactor: 2.625 }

/** Emulates a device, a language and a location. Must be called before the first navigation. */
export async function emulate({ session, contextId }: Tab, options: EmulationOptions, signal: AbortSignal) {
  const { mobile, location, skipTlsVerification } = options
  const country = location && countryProfile(location.country)
  const languages = location?.languages?.length ? location.languages : country ? [country.locale] : []
  const send: typeof session.send = (method, params) => session.send(method, params, signal)
  const calls: Promise<unknown>[] = [
    send('Emulation.setDeviceMetricsOverride', metricsOf(options)),
    send('Emulation.setUserAgentOverride', userAgentOverride(options, languages)),
    // A page without focus receives no key events.
    send('Emulation.setFocusEmulationEnabled', { enabled: true }),
  ]
  if (mobile) calls.push(send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }))
  if (languages[0]) calls.push(send('Emulation.setLocaleOverride', { locale: languages[0] }))
  if (skipTlsVerification) calls.push(send('Security.setIgnoreCertificateErrors', { ignore: true }))
  if (country) {
    const { latitude, longitude, timezoneId } = country
    calls.push(
      send('Emulation.setTimezoneOverride', { timezoneId }),
      send('Emulation.setGeolocationOverride', { latitude, longitude, accuracy: 100 }),
      send('Browser.grantPermissions', { permissions: ['geolocation'], browserContextId: contextId }),
    )
  }
  await Promise.all(calls)
}

/** A requested viewport is the size of the screenshot in pixels, regardless of the device. */
export function metricsOf({ mobile, viewport }: Pick<EmulationOptions, 'mobile' | 'viewport'>): Metrics {
  const { width, height } = viewport ?? (mobile ? phone : desktop)
  const deviceScaleFactor = mobile && !viewport ? phone.deviceScaleFactor : 1
  return { width, height, deviceScaleFactor, mobile, screenWidth: width, screenHeight: height }
}

function userAgentOverride({ mobile, version, userAgent: requested }: EmulationOptions, languages: readonly string[]) {
  const acceptLanguage = withBaseLanguages(languages.length > 0 ? languages : ['en-US']).join(',')
  // Client hints would contradict the caller's User-Agent.
  if (requested !== undefined) return { userAgent: requested, acceptLanguage }
  const device: Device = mobile ? 'phone' : 'desktop'
  const userAgent = mobile ? phoneUserAgent(version.userAgent) : desktopUserAgent(version.userAgent)
  const platform = mobile ? phoneModel.platform : undefined
  const userAgentMetadata = clientHints(userAgent, version.product, device)
  return { userAgent, acceptLanguage, ...(platform !== undefined && { platform }), userAgentMetadata }
}

/** Headers of the caller, grouped by the way in which the browser sends them. None may be sent to another site. */
type RequestHeaders = {
  userAgent?: string
  cookies: Protocol.Network.CookieParam[]
  others: { name: string; value: string }[]
}

/** Headers that the browser sets itself. */
const connectionHeaders =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|proxy-.*)$/i

export function sortHeaders(headers: Readonly<Record<string, string>>, url: string): RequestHeaders {
  const entries = Object.entries(headers).filter(([name]) => !connectionHeaders.test(name))
  const valueOf = (header: string) => entries.find(([name]) => name.toLowerCase() === header)?.[1]
  const userAgent = valueOf('user-agent')
  return {
    ...(userAgent !== undefined && { userAgent }),
    cookies: cookiesIn(valueOf('cookie') ?? '', url),
    others: entries
      .filter(([name]) => !/^(?:user-agent|cookie)$/i.test(name))
      .map(([name, value]) => ({ name, value })),
  }
}

function cookiesIn(header: string, url: string): Protocol.Network.CookieParam[] {
  return header.split(';').flatMap((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return name.trim() === '' ? [] : [{ name: name.trim(), value: rest.join('=').trim(), url: new URL('/', url).href }]
  })
}

/** Sends cookies and headers with requests to the origin of the page only. */
export async function sendHeaders(
  { session }: Tab,
  { cookies, others }: RequestHeaders,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  if (cookies.length > 0) await session.send('Network.setCookies', { cookies }, signal)
  if (others.length === 0) return
  const { origin } = new URL(url)
  const names = new Set(others.map(({ name }) => name.toLowerCase()))
  // Every hop of a redirect is paused again, without the headers added to the hop before.
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const own = Object.entries(request.headers).map(([name, value]) => ({ name, value }))
    const headers = [...own.filter(({ name }) => !names.has(name.toLowerCase())), ...others]
    const added = URL.parse(request.url)?.origin === origin ? { headers } : {}
    session.send('Fetch.continueRequest', { requestId, ...added }).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*` }] }, signal)
}

type Device = 'phone' | 'desktop'

const phoneModel = { model: 'Pixel 7', platformVersion: '14.0.0', platform: 'Linux armv81' }

/** Returns Chrome's User-Agent without the word Headless and with reduced minor versions (Chromium). */
export function desktopUserAgent(userAgent: string): string {
  return userAgent.replace('HeadlessChrome/', 'Chrome/').replace(/Chrome\/(\d+)[.\d]*/, 'Chrome/$1.0.0.0')
}

export function phoneUserAgent(userAgent: string): string {
  return desktopUserAgent(userAgent)
    .replace(/\([^)]*\)/, '(Linux; Android 10; K)')
    .replace(/ (?:Mobile )?Safari\//, ' Mobile Safari/')
}

/** Returns client hints that match the User-Agent (WICG). `product` contains the full version. */
export function clientHints(userAgent: string, product: string, device: Device): Protocol.Emulation.UserAgentMetadata {
  const full = /Chrome\/([\d.]+)/.exec(product)?.[1] ?? '0'
  const major = full.split('.', 1)[0] ?? '0'
  const isPhone = device === 'phone'
  return {
    brands: brandsOf(major, major, (grease) => grease),
    fullVersionList: brandsOf(major, full, (grease) => `${grease}.0.0.0`),
    platform: isPhone ? 'Android' : platformOf(userAgent),
    platformVersion: isPhone ? phoneModel.platformVersion : platformVersions[platformOf(userAgent)],
    architecture: isPhone ? '' : process.arch === 'arm64' ? 'arm' : 'x86',
    model: isPhone ? phoneModel.model : '',
    mobile: isPhone,
    bitness: isPhone ? '' : '64',
  }
}

const platformVersions = { Windows: '15.0.0', macOS: '15.5.0', Linux: '' } as const
const platformOf = (userAgent: string) =>
  /Windows/.test(userAgent) ? 'Windows' : /Macintosh/.test(userAgent) ? 'macOS' : 'Linux'

const orders = ['012', '021', '102', '120', '201', '210']
const greaseMarks = Array.from(' (:-./);=?_')
const greaseVersions = ['8', '99', '24']

/** The order and the greased brand change with each major version (Chromium, GetGreasedUserAgentBrandVersion). */
function brandsOf(major: string, version: string, greased: (version: string) => string) {
  const seed = Number(major)
  const [one, two] = [greaseMarks[seed % 11], greaseMarks[(seed + 1) % 11]]
  const brands = [
    { brand: `Not${one}A${two}Brand`, version: greased(greaseVersions[seed % 3] ?? '') },
    { brand: 'Chromium', version },
    { brand: 'Google Chrome', version },
  ]
  const order = Array.from(orders[seed % 6] ?? '', Number)
  return brands.map((_, at) => brands[order.indexOf(at)] ?? { brand: 'Chromium', version })
}
