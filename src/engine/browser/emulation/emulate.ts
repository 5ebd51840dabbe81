import type { Protocol } from 'devtools-protocol'
import type { RenderRequest, Viewport } from '../../../contracts/render-port.ts'
import type { BrowserVersion } from '../launch/types.ts'
import type { Tab } from '../page/tab.ts'
import { countryProfile, withBaseLanguages } from './countries.ts'
import { clientHints, type Device, phoneUserAgent, desktopUserAgent, navigatorPlatform } from './agent.ts'

export type EmulationOptions = Pick<RenderRequest, 'mobile' | 'location' | 'skipTlsVerification'> & {
  viewport?: Viewport | undefined
  version: Pick<BrowserVersion, 'userAgent' | 'product'>
  /** From the headers of the request; replaces the User-Agent of the browser. */
  userAgent?: string | undefined
}
export type Metrics = Protocol.Emulation.SetDeviceMetricsOverrideRequest

const desktop: Viewport = { width: 1280, height: 800 }
const phone = { width: 412, height: 915, deviceScaleFactor: 2.625 }

/** Emulates a device, a language and a location. Call it before the first navigation. */
export async function emulate(
  { session, contextId }: Tab,
  options: EmulationOptions,
  signal: AbortSignal,
): Promise<void> {
  const { mobile, location, skipTlsVerification } = options
  const country = location && countryProfile(location.country)
  const languages = location?.languages?.length ? location.languages : country ? [country.locale] : []
  const send: typeof session.send = (method, params) => session.send(method, params, signal)
  const calls: Promise<unknown>[] = [
    send('Emulation.setDeviceMetricsOverride', metricsOf(options)),
    send('Emulation.setUserAgentOverride', userAgentOverride(options, languages)),
    // A page without focus takes no keys.
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

/** A requested viewport is the size of the screenshot in pixels, whatever the device. */
export function metricsOf({ mobile, viewport }: Pick<EmulationOptions, 'mobile' | 'viewport'>): Metrics {
  const { width, height } = viewport ?? (mobile ? phone : desktop)
  const deviceScaleFactor = mobile && !viewport ? phone.deviceScaleFactor : 1
  return { width, height, deviceScaleFactor, mobile, screenWidth: width, screenHeight: height }
}

function userAgentOverride({ mobile, version, userAgent: requested }: EmulationOptions, languages: readonly string[]) {
  const acceptLanguage = withBaseLanguages(languages.length > 0 ? languages : ['en-US']).join(',')
  // Client hints would contradict a User-Agent of the caller.
  if (requested !== undefined) return { userAgent: requested, acceptLanguage }
  const device: Device = mobile ? 'phone' : 'desktop'
  const userAgent = mobile ? phoneUserAgent(version.userAgent) : desktopUserAgent(version.userAgent)
  const platform = navigatorPlatform(device)
  const userAgentMetadata = clientHints(userAgent, version.product, device)
  return { userAgent, acceptLanguage, ...(platform !== undefined && { platform }), userAgentMetadata }
}
