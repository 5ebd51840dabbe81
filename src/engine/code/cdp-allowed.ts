import type { CdpMessage } from '../browser/cdp/cdp-wire.ts'

/** Scope of code or another client of a session: its browser context and the targets in it. */
export type Reach = {
  /** Undefined if the session has its own browser and uses its default context. */
  contextId?: string | undefined
  /** Returns true if a target belongs to the session; omitted if the session has its own browser. */
  isOwnTarget?(targetId: string): boolean
}
type Params = NonNullable<CdpMessage['params']>

/** Domains that inspect and change only a page and the data of its origins: all their methods are allowed. */
const pageDomains = new Set(
  (
    'Accessibility Animation CSS CacheStorage Console DOMDebugger DOMSnapshot DOMStorage Debugger EventBreakpoints ' +
    'HeapProfiler IndexedDB LayerTree Media Overlay Performance PerformanceTimeline Profiler Runtime WebAudio'
  ).split(' '),
)

/**
 * Allowed methods of the domains in which the browser itself takes part. An allowlist, because a newer browser may
 * offer methods that reach files, downloads, certificates or other targets.
 */
const allowed = new Set(
  `
Audits: checkFormsIssues disable enable getEncodedResponse
Browser: cancelDownload getGlobalPrivacyControl getVersion getWindowBounds getWindowForTarget grantPermissions
  resetPermissions setContentsSize setGlobalPrivacyControl setPermission setWindowBounds
DOM: clearTextMarkers collectClassNamesFromSubtree copyTo describeNode disable discardSearchResults enable focus
  forceShowInterest forceShowPopover getAnchorElement getAttributes getBoxModel getContainerForNode getContentQuads
  getDetachedDomNodes getDocument getElementByRelation getFlattenedDocument getFrameOwner getImplicitAnchorCandidates
  getNodeForLocation getNodeStackTraces getNodesForSubtreeByStyle getOuterHTML getQueryingDescendantsForContainer
  getRelayoutBoundary getSearchResults getTopLayerElements hideHighlight highlightNode highlightRect markUndoableState
  moveTo performSearch pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend querySelector querySelectorAll redo
  removeAttribute removeNode requestChildNodes requestNode resolveNode scrollIntoViewIfNeeded setAttributeValue
  setAttributesAsText setInspectedNode setNodeName setNodeStackTracesEnabled setNodeValue setOuterHTML setTextMarker
  undo
DeviceOrientation: clearDeviceOrientationOverride setDeviceOrientationOverride
Emulation: addScreen canEmulate clearDeviceMetricsOverride clearDevicePostureOverride clearDisplayFeaturesOverride
  clearGeolocationOverride clearIdleOverride getOverriddenSensorInformation getScreenInfos removeScreen
  resetPageScaleFactor setAutoDarkModeOverride setAutomationOverride setCPUPerformanceOverride setCPUThrottlingRate
  setDataSaverOverride setDefaultBackgroundColorOverride setDeviceMetricsOverride setDevicePostureOverride
  setDisabledImageTypes setDisplayFeaturesOverride setDocumentCookieDisabled setEmitTouchEventsForMouse
  setEmulatedMedia setEmulatedOSTextScale setEmulatedVisionDeficiency setFocusEmulationEnabled setGeolocationOverride
  setHardwareConcurrencyOverride setIdleOverride setLocaleOverride setNavigatorOverrides setPageScaleFactor
  setPressureSourceOverrideEnabled setPressureStateOverride setPrimaryScreen setSafeAreaInsetsOverride
  setScriptExecutionDisabled setScrollbarsHidden setSensorOverrideEnabled setSensorOverrideReadings
  setSmallViewportHeightDifferenceOverride setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride
  setVirtualKeyboardGeometryOverride setVirtualTimePolicy setVisibleSize updateScreen
Fetch: continueRequest continueResponse continueWithAuth disable enable failRequest fulfillRequest getResponseBody
  takeResponseBodyAsStream
HeadlessExperimental: beginFrame disable enable
IO: close read resolveBlob
Input: cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent
  emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents setInterceptDrags
  synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture
Inspector: disable enable
Log: clear disable enable startViolationsReport stopViolationsReport
Memory: forciblyPurgeJavaScriptMemory getAllTimeSamplingProfile getBrowserSamplingProfile getDOMCounters
  getDOMCountersForLeakDetection getSamplingProfile prepareForLeakDetection setPressureNotificationsSuppressed
  simulatePressureNotification startSampling stopSampling
Network: canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions clearBrowserCache clearBrowserCookies
  configureDurableMessages deleteCookies deleteDeviceBoundSession disable emulateNetworkConditions
  emulateNetworkConditionsByRule enable enableDeviceBoundSessions enableReportingApi fetchSchemefulSite getAllCookies
  getCertificate getCookies getRequestPostData getResponseBody getSecurityIsolationStatus loadNetworkResource
  overrideNetworkState replayXHR searchInResponseBody setAttachDebugStack setBlockedURLs setBypassServiceWorker
  setCacheDisabled setCookie setCookieControls setCookies setExtraHTTPHeaders setUserAgentOverride
  streamResourceContent
Page: addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument bringToFront captureScreenshot captureSnapshot
  clearCompilationCache clearDeviceMetricsOverride clearDeviceOrientationOverride clearGeolocationOverride close crash
  createIsolatedWorld deleteCookie disable enable generateTestReport getAdScriptAncestry getAnnotatedPageContent
  getAppId getAppManifest getFrameTree getInstallabilityErrors getLayoutMetrics getManifestIcons getNavigationHistory
  getOriginTrials getPermissionsPolicyState getResourceContent getResourceTree getSiblingSubApps getSubApps
  handleJavaScriptDialog navigate navigateToHistoryEntry printToPDF produceCompilationCache reload
  removeScriptToEvaluateOnLoad removeScriptToEvaluateOnNewDocument resetNavigationHistory screencastFrameAck
  searchInResource setAdBlockingEnabled setBypassCSP setDeviceMetricsOverride setDeviceOrientationOverride
  setDocumentContent setFontFamilies setFontSizes setGeolocationOverride setInterceptFileChooserDialog
  setLifecycleEventsEnabled setPrerenderingAllowed setRPHRegistrationMode setSPCTransactionMode
  setTouchEmulationEnabled setWebLifecycleState startScreenRecording startScreencast stopLoading stopScreenRecording
  stopScreencast waitForDebugger
Schema: getDomains
Security: disable enable handleCertificateError setIgnoreCertificateErrors setOverrideCertificateErrors
ServiceWorker: deliverPushMessage disable dispatchPeriodicSyncEvent dispatchSyncEvent enable setForceUpdateOnPageLoad
  skipWaiting startWorker stopAllWorkers stopWorker unregister updateRegistration
Storage: clearCookies clearDataForOrigin clearDataForStorageKey clearPrivateVerificationTokens clearTrustTokens
  deletePrivateVerificationToken deleteStorageBucket getCookies getPrivateVerificationTokens
  getPrivateVerificationTokensIssuerConfigs getStorageKey getStorageKeyForFrame getTrustTokens getUsageAndQuota
  runBounceTrackingMitigations setCookies setPrivateVerificationTokensTracking setStorageBucketTracking
  trackCacheStorageForOrigin trackCacheStorageForStorageKey trackIndexedDBForOrigin trackIndexedDBForStorageKey
  untrackCacheStorageForOrigin untrackCacheStorageForStorageKey untrackIndexedDBForOrigin
  untrackIndexedDBForStorageKey
Target: activateTarget attachToBrowserTarget attachToTarget autoAttachRelated closeTarget createTarget
  detachFromTarget getBrowserContexts getTargetInfo getTargets setAutoAttach setDiscoverTargets
Tracing: end getCategories getTrackEventDescriptor recordClockSyncMarker requestMemoryDump start
WebAuthn: addCredential addVirtualAuthenticator clearCredentials disable enable getCredential getCredentials
  removeCredential removeVirtualAuthenticator setAutomaticPresenceSimulation setCredentialProperties
  setResponseOverrideBits setUserVerified
WebMCP: cancelInvocation disable enable invokeTool`
    .trim()
    .split(/\n(?! )/)
    .flatMap((row) => {
      const [domain = '', methods = ''] = row.split(': ')
      return methods.split(/\s+/).map((name) => `${domain}.${name}`)
    }),
)

/** Refused methods of domains that have allowed methods, with the reason. */
export const refusedMethods: Readonly<Record<string, string>> = {
  'Browser.addMockCamera': 'Devices are not for pages.',
  'Browser.addPrivacySandboxEnrollmentOverride': 'The session determines the settings of the browser.',
  'Browser.close': 'The browser belongs to the session.',
  'Browser.crash': 'The browser belongs to the session.',
  'Browser.crashGpuProcess': 'The browser belongs to the session.',
  'Browser.executeBrowserCommand': 'The browser belongs to the session.',
  'Browser.getBrowserCommandLine': 'The command line of the browser is not for its pages.',
  'Browser.getHistogram': 'Statistics of the browser are not for its pages.',
  'Browser.getHistograms': 'Statistics of the browser are not for its pages.',
  'Browser.setDockTile': 'The desktop of the machine is not for pages.',
  'Browser.setDownloadBehavior': 'The session decides where downloads are stored.',
  'DOM.getFileInfo': 'Paths of the machine are not for pages.',
  'DOM.setFileInputFiles': 'Files of the machine are not for pages.',
  'Page.addCompilationCache': 'The browser trusts compiled code, so it accepts none from session code.',
  'Page.setDownloadBehavior': 'The session decides where downloads are stored.',
  'Storage.overrideQuotaForOrigin': 'Pages may not change the limits of disk use.',
  'Target.createBrowserContext': 'Code stays in the browser context of its session.',
  'Target.disposeBrowserContext': 'Code stays in the browser context of its session.',
  'Target.exposeDevToolsProtocol': 'Pages may not drive the browser.',
  'Target.getDevToolsTarget': 'Pages may not drive the browser.',
  'Target.openDevTools': 'Pages may not drive the browser.',
  'Target.sendMessageToTarget': 'Attach with flatten: true and send messages with a sessionId.',
  'Target.setRemoteLocations': 'Code has no network of its own.',
}

/** Domains without any allowed method, with the reason. */
export const closedDomains: Readonly<Record<string, string>> = {
  Ads: 'The ad detection of the browser is not for its pages.',
  Autofill: 'Names, addresses and cards of the browser are not for its pages.',
  BackgroundService: 'It records events of pages of other sessions in the profile.',
  BluetoothEmulation: 'Devices are not for pages.',
  Cast: 'Other devices in the network are not for pages.',
  CrashReportContext: 'Crash reports are about the browser.',
  DeviceAccess: 'Devices are not for pages.',
  DigitalCredentials: 'Wallets of the machine are not for pages.',
  Extensions: 'An extension may do more than a page.',
  FedCm: 'Accounts of the browser are not for its pages.',
  FileSystem: 'Files of the machine are not for pages.',
  FindInPage: 'It controls the window of the browser.',
  PWA: 'An installed app may do more than a page.',
  Preload: 'The preloading of the browser is not for its pages.',
  SmartCardEmulation: 'Devices are not for pages.',
  SystemInfo: 'The machine is not for pages.',
  Tethering: 'Ports of the machine are not for pages.',
}

/** Methods that reveal data of all pages of a browser, which a session may share with others. */
const browserWide = /^(?:Tracing\.|Memory\.get(?:AllTime|Browser)SamplingProfile$)/

const unknownMethod = 'This method is not known here.'

/** Returns the reason for refusing a call of session code; undefined if it is allowed. */
export function refusal(message: CdpMessage, reach: Reach): string | undefined {
  const { method = '' } = message
  // Messages of clients are not validated.
  if (typeof method !== 'string') return unknownMethod
  const params = message.params ?? {}
  const [, domain = ''] = /^(\w+)\.\w+$/.exec(method) ?? []
  if (!allowed.has(method) && !pageDomains.has(domain)) return methodRefusal(domain, method)
  return (
    addressRefusal(method, params) ??
    fileRefusal(method, params) ??
    contextRefusal(message, reach) ??
    targetRefusal(params, reach)
  )
}

function methodRefusal(domain: string, method: string): string {
  if (Object.hasOwn(refusedMethods, method)) return refusedMethods[method]!
  return Object.hasOwn(closedDomains, domain) ? closedDomains[domain]! : unknownMethod
}

/** Methods whose URL only names a script or a request, and is not opened. */
const namesScript = /^(?:Debugger\.setBreakpointByUrl|DOMDebugger\.(?:set|remove)XHRBreakpoint)$/

/** Refuses URLs of files and of the browser's own pages in the parameters of any call. */
function addressRefusal(method: string, { url }: Params): string | undefined {
  if (typeof url !== 'string' || url === '' || namesScript.test(method)) return undefined
  return isOpenAddress(url) ? undefined : 'Only http, https, about:blank, data and blob addresses can be opened.'
}

/** Ignores leading control characters and line breaks, as browsers do (URL Standard, basic URL parser). */
function isOpenAddress(text: string): boolean {
  const address = text.replace(/[\t\n\r]/g, '').replace(leadingControls, '')
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(address) ?? []
  switch (scheme.toLowerCase()) {
    case 'view-source':
      return isOpenAddress(rest)
    case 'about':
      // All other about: URLs are pages of the browser itself.
      return /^(?:blank|srcdoc)(?:[?#]|$)/i.test(rest)
    default:
      return openSchemes.has(scheme.toLowerCase())
  }
}

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const leadingControls = /^[\0-\x20]+/
const openSchemes = new Set(['http', 'https', 'ws', 'wss', 'data', 'blob'])

/** Refuses drag events with files, which the browser would read by their paths. */
function fileRefusal(method: string, { data }: Params): string | undefined {
  const files = method === 'Input.dispatchDragEvent' ? (data as { files?: unknown } | undefined)?.files : undefined
  return files === undefined ? undefined : refusedMethods['DOM.setFileInputFiles']
}

/** Calls to the browser itself that apply to the default context unless they name another one. */
const perContext = /^(?:Target\.createTarget$|Target\.attachToBrowserTarget$|Storage\.|Browser\.\w+Permissions?$)/

/** Adds the session's context to a call that would otherwise apply to the default context. */
export const inOwnContext = (message: CdpMessage, contextId: string): CdpMessage =>
  message.sessionId === undefined && perContext.test(message.method ?? '')
    ? { ...message, params: { ...message.params, browserContextId: message.params?.['browserContextId'] ?? contextId } }
    : message

function contextRefusal({ method = '', params, sessionId }: CdpMessage, { contextId }: Reach): string | undefined {
  if (contextId === undefined) return undefined
  if (browserWide.test(method)) return 'Other sessions use this browser too.'
  const named = params?.['browserContextId']
  const isAboutDefault = named === undefined && sessionId === undefined && perContext.test(method)
  const isOwn = named === undefined ? !isAboutDefault : named === contextId
  return isOwn ? undefined : refusedMethods['Target.createBrowserContext']
}

function targetRefusal({ targetId }: Params, { isOwnTarget }: Reach): string | undefined {
  return typeof targetId !== 'string' || !isOwnTarget || isOwnTarget(targetId)
    ? undefined
    : 'The target is not in the session.'
}
