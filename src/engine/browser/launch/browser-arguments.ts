import type { BrowserKind } from '../find/find-browser.ts'

export type ArgumentOptions = {
  kind: BrowserKind
  profileDir: string
  display: 'headless' | 'window'
  sandbox: 'on' | 'off'
  /** `small` if /dev/shm is too small for the bitmaps of a page, as in containers. */
  sharedMemory: 'usual' | 'small'
  /** Proxy for all requests, including those to loopback addresses. */
  proxy?: string | undefined
  windowSize?: { width: number; height: number } | undefined
  userAgent?: string | undefined
  /** Additional arguments, appended last. */
  more?: readonly string[] | undefined
}

/** Features that are of no use without a user and slow pages down, or that send the browser's own requests. */
const disabledFeatures = [
  'AcceptCHFrame',
  'AimEnabled',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'Translate',
  // Extra browser pages per window, for an address bar that is never used.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

/** Chromium derives wrong languages from the POSIX locale; a page's languages are set when it is opened. */
const languages = '--accept-lang=en-US,en'

const alwaysSet = [
  languages,
  '--remote-debugging-pipe',
  // A first window would cost a renderer process.
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--no-pings',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--metrics-recording-only',
  `--disable-features=${disabledFeatures.join(',')}`,
  '--disable-blink-features=AutomationControlled',
  // Background pages must run as fast as the visible one.
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--disable-gpu',
  '--disable-quic',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  // Without it the headless shell writes console messages of pages to stderr.
  '--log-level=2',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  // The first is for the headless shell, the second for Chrome: otherwise WebRTC reveals the IP addresses of the
  // machine.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** Returns the command line of a browser, without signs of automation. */
export function browserArguments(options: ArgumentOptions): string[] {
  const { kind, display, proxy, windowSize: { width, height } = { width: 1280, height: 800 }, userAgent } = options
  return [
    ...alwaysSet,
    `--user-data-dir=${options.profileDir}`,
    `--window-size=${width},${height}`,
    ...(display === 'window' ? [] : [kind === 'shell' ? '--headless' : '--headless=new']),
    ...(options.sandbox === 'off' ? ['--no-sandbox'] : []),
    ...(options.sharedMemory === 'small' ? ['--disable-dev-shm-usage'] : []),
    // By default Chromium bypasses the proxy for loopback addresses.
    ...(proxy === undefined ? [] : [`--proxy-server=${proxy}`, '--proxy-bypass-list=<-loopback>']),
    ...(userAgent === undefined ? [] : [`--user-agent=${userAgent}`]),
    ...(options.more ?? []),
  ]
}
