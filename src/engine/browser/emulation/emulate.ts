import type { RenderRequest, Viewport } from '../../../core/render.ts'
import { clientHints, type Device, phoneAgent, plainAgent, platformNameOf } from './agent.ts'
import type { CdpMethods } from '../cdp/methods.ts'
import type { BrowserVersion } from '../launch/types.ts'
import { placeOf } from './places.ts'
import type { Tab } from '../tab.ts'

export type Look = Pick<RenderRequest, 'mobile' | 'location' | 'skipTlsVerification'> & {
  viewport?: Viewport | undefined
  version: Pick<BrowserVersion, 'userAgent' | 'product'>
  /** Replaces the browser's own name, from the headers of the request. */
  wantedUserAgent?: string | undefined
}
export type Metrics = CdpMethods['Emulation.setDeviceMetricsOverride']['params']

const desktop: Viewport = { width: 1280, height: 800 }
const phone = { width: 412, height: 915, deviceScaleFactor: 2.625 }

/** Makes the page believe that it is shown to such a visitor. To be done before the first navigation. */
export async function emulate({ session, contextId }: Tab, look: Look, signal: AbortSignal): Promise<void> {
  const { mobile, location, skipTlsVerification } = look
  const place = location && placeOf(location.country)
  const languages = location?.languages?.length ? location.languages : place ? [place.locale] : []
  const send: typeof session.send = (method, params) => session.send(method, params, signal)
  const steps: Promise<unknown>[] = [
    send('Emulation.setDeviceMetricsOverride', metricsOf(look)),
    send('Emulation.setUserAgentOverride', agentOf(look, languages)),
    // Only a page that believes to be in front takes keys.
    send('Emulation.setFocusEmulationEnabled', { enabled: true }),
  ]
  if (mobile) steps.push(send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }))
  if (languages[0]) steps.push(send('Emulation.setLocaleOverride', { locale: languages[0] }))
  if (skipTlsVerification) steps.push(send('Security.setIgnoreCertificateErrors', { ignore: true }))
  if (place) {
    const { latitude, longitude, timezoneId } = place
    steps.push(
      send('Emulation.setTimezoneOverride', { timezoneId }),
      send('Emulation.setGeolocationOverride', { latitude, longitude, accuracy: 100 }),
      send('Browser.grantPermissions', { permissions: ['geolocation'], browserContextId: contextId }),
    )
  }
  await Promise.all(steps)
}

/** A viewport that was asked for is the size of the picture, whatever the device. */
export function metricsOf({ mobile, viewport }: Pick<Look, 'mobile' | 'viewport'>): Metrics {
  const { width, height } = viewport ?? (mobile ? phone : desktop)
  const deviceScaleFactor = mobile && !viewport ? phone.deviceScaleFactor : 1
  return { width, height, deviceScaleFactor, mobile, screenWidth: width, screenHeight: height }
}

function agentOf({ mobile, version, wantedUserAgent }: Look, languages: readonly string[]) {
  const acceptLanguage = withGeneral(languages.length > 0 ? languages : ['en-US']).join(',')
  // A name of the caller's choice comes without hints, which would contradict it.
  if (wantedUserAgent !== undefined) return { userAgent: wantedUserAgent, acceptLanguage }
  const device: Device = mobile ? 'phone' : 'desktop'
  const userAgent = mobile ? phoneAgent(version.userAgent) : plainAgent(version.userAgent)
  const platform = platformNameOf(device)
  const userAgentMetadata = clientHints(userAgent, version.product, device)
  return { userAgent, acceptLanguage, ...(platform !== undefined && { platform }), userAgentMetadata }
}

/** As a browser of that country has it: `de-DE` is followed by `de`. */
function withGeneral(languages: readonly string[]): string[] {
  return Array.from(new Set(languages.flatMap((language) => [language, language.split('-', 1)[0] ?? language])))
}
