import type { BrowserKind } from '../find/places.ts'

export type ArgumentFacts = {
  kind: BrowserKind
  profileDir: string
  display: 'headless' | 'window'
  sandbox: 'on' | 'off'
  /** `small` when /dev/shm is too small for the pictures of a page, as in containers. */
  sharedMemory: 'usual' | 'small'
  /** Every request goes through this proxy, those to loopback addresses too. */
  proxy?: string | undefined
  windowSize?: { width: number; height: number } | undefined
  userAgent?: string | undefined
  /** Further arguments, last. */
  more?: readonly string[] | undefined
}

/** What would distract a page that nobody looks at, or call home. */
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
]

/** Chromium makes odd languages of the POSIX locale; a page's own are set when it is opened. */
const languages = '--accept-lang=en-US,en'

const always = [
  languages,
  '--remote-debugging-pipe',
  // Pages are opened by those who want them; a first window would cost a renderer.
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
  // A page that is in the background for the browser is in the foreground for us.
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
  // Without it the headless shell writes what pages log to its stderr.
  '--log-level=2',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  // The headless shell knows the first name, Chrome the second: without them WebRTC tells the machine's addresses.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** The command line of a browser, without any sign of automation. */
export function browserArguments(facts: ArgumentFacts): string[] {
  const { kind, display, proxy, windowSize: { width, height } = { width: 1280, height: 800 }, userAgent } = facts
  return [
    ...always,
    `--user-data-dir=${facts.profileDir}`,
    `--window-size=${width},${height}`,
    ...(display === 'window' ? [] : [kind === 'shell' ? '--headless' : '--headless=new']),
    ...(facts.sandbox === 'off' ? ['--no-sandbox'] : []),
    ...(facts.sharedMemory === 'small' ? ['--disable-dev-shm-usage'] : []),
    // Chromium sends loopback addresses past any proxy unless that rule is taken away.
    ...(proxy === undefined ? [] : [`--proxy-server=${proxy}`, '--proxy-bypass-list=<-loopback>']),
    ...(userAgent === undefined ? [] : [`--user-agent=${userAgent}`]),
    ...(facts.more ?? []),
  ]
}
