import type { Protocol } from 'devtools-protocol'

export type Device = 'phone' | 'desktop'

const phoneModel = { model: 'Pixel 7', platformVersion: '14.0.0', platform: 'Linux armv81' }

/**
 * The User-Agent of Chrome on this machine: without the word Headless, which simple bot checks look for, and with the minor
 * version numbers as zeros (User-Agent reduction, Chromium).
 */
export function desktopUserAgent(userAgent: string): string {
  return userAgent.replace('HeadlessChrome/', 'Chrome/').replace(/Chrome\/(\d+)[.\d]*/, 'Chrome/$1.0.0.0')
}

export function phoneUserAgent(userAgent: string): string {
  return desktopUserAgent(userAgent)
    .replace(/\([^)]*\)/, '(Linux; Android 10; K)')
    .replace(/ (?:Mobile )?Safari\//, ' Mobile Safari/')
}

/** `navigator.platform`; undefined leaves that of the machine. */
export const navigatorPlatform = (device: Device) => (device === 'phone' ? phoneModel.platform : undefined)

/** Client hints that agree with the User-Agent (User-Agent Client Hints, WICG). `product` holds the full version. */
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
