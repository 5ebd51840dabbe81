import type {
  Cookie,
  CookieParam,
  Evaluated,
  FrameTree,
  Headers,
  RemoteObject,
  TargetInfo,
  UserAgentMetadata,
} from './shapes.ts'

type Method<Params, Result = Nothing> = { params: Params; result: Result }
type Nothing = Record<string, never>
type Clip = { x: number; y: number; width: number; height: number; scale: number }
type Box = { x: number; y: number; width: number; height: number }
type Viewport = { pageX: number; pageY: number; clientWidth: number; clientHeight: number }
type EvaluateOptions = {
  returnByValue?: boolean
  awaitPromise?: boolean
  userGesture?: boolean
  uniqueContextId?: string
  objectGroup?: string
}

/**
 * The part of the Chrome DevTools Protocol that is used: add a line for each further method
 * (https://chromedevtools.github.io/devtools-protocol/tot/). Unused fields are left out.
 */
export type CdpMethods = {
  'Browser.getVersion': Method<Nothing, { product: string; protocolVersion: string; userAgent: string }>
  'Browser.close': Method<Nothing>
  'Browser.setDownloadBehavior': Method<{
    behavior: 'deny' | 'allow' | 'allowAndName' | 'default'
    browserContextId?: string
    downloadPath?: string
    eventsEnabled?: boolean
  }>
  'Browser.cancelDownload': Method<{ guid: string; browserContextId?: string }>
  'Browser.grantPermissions': Method<{ permissions: readonly string[]; origin?: string; browserContextId?: string }>

  'Target.getTargets': Method<{ filter?: { type?: string; exclude?: boolean }[] }, { targetInfos: TargetInfo[] }>
  'Target.getTargetInfo': Method<{ targetId?: string }, { targetInfo: TargetInfo }>
  'Target.setDiscoverTargets': Method<{ discover: boolean }>
  'Target.setAutoAttach': Method<{
    autoAttach: boolean
    waitForDebuggerOnStart: boolean
    flatten: true
    filter?: readonly { type?: string; exclude?: boolean }[]
  }>
  'Target.createBrowserContext': Method<
    { disposeOnDetach?: boolean; proxyServer?: string; proxyBypassList?: string },
    { browserContextId: string }
  >
  'Target.disposeBrowserContext': Method<{ browserContextId: string }>
  'Target.createTarget': Method<
    { url: string; browserContextId?: string; width?: number; height?: number; newWindow?: boolean },
    { targetId: string }
  >
  'Target.closeTarget': Method<{ targetId: string }>
  'Target.activateTarget': Method<{ targetId: string }>

  'Page.enable': Method<Nothing>
  'Page.setLifecycleEventsEnabled': Method<{ enabled: boolean }>
  'Page.navigate': Method<
    { url: string; referrer?: string; frameId?: string },
    { frameId: string; loaderId?: string; errorText?: string; isDownload?: boolean }
  >
  'Page.reload': Method<{ ignoreCache?: boolean }>
  'Page.getNavigationHistory': Method<
    Nothing,
    { currentIndex: number; entries: { id: number; url: string; title: string }[] }
  >
  'Page.navigateToHistoryEntry': Method<{ entryId: number }>
  'Page.stopLoading': Method<Nothing>
  'Page.close': Method<Nothing>
  'Page.crash': Method<Nothing>
  'Page.bringToFront': Method<Nothing>
  'Page.setBypassCSP': Method<{ enabled: boolean }>
  'Page.getFrameTree': Method<Nothing, { frameTree: FrameTree }>
  'Page.createIsolatedWorld': Method<{ frameId: string; worldName?: string }, { executionContextId: number }>
  'Page.addScriptToEvaluateOnNewDocument': Method<
    { source: string; worldName?: string; runImmediately?: boolean },
    { identifier: string }
  >
  'Page.removeScriptToEvaluateOnNewDocument': Method<{ identifier: string }>
  'Page.handleJavaScriptDialog': Method<{ accept: boolean; promptText?: string }>
  'Page.setInterceptFileChooserDialog': Method<{ enabled: boolean }>
  'Page.startScreencast': Method<{
    format: 'jpeg' | 'png'
    quality?: number
    maxWidth?: number
    maxHeight?: number
    everyNthFrame?: number
  }>
  'Page.screencastFrameAck': Method<{ sessionId: number }>
  'Page.stopScreencast': Method<Nothing>
  'Page.getLayoutMetrics': Method<
    Nothing,
    { cssContentSize: Box; cssLayoutViewport: Viewport; cssVisualViewport: Viewport }
  >
  'Page.captureScreenshot': Method<
    {
      format?: 'png' | 'jpeg' | 'webp'
      quality?: number
      clip?: Clip
      captureBeyondViewport?: boolean
      fromSurface?: boolean
      optimizeForSpeed?: boolean
    },
    { data: string }
  >
  'Page.printToPDF': Method<
    {
      landscape?: boolean
      scale?: number
      printBackground?: boolean
      paperWidth?: number
      paperHeight?: number
      preferCSSPageSize?: boolean
      transferMode?: 'ReturnAsBase64' | 'ReturnAsStream'
    },
    { data: string; stream?: string }
  >

  'DOM.describeNode': Method<{ objectId: string }, { node: { frameId?: string; contentDocument?: object } }>
  'DOM.setFileInputFiles': Method<{ files: readonly string[]; objectId?: string; backendNodeId?: number }>

  'Runtime.enable': Method<Nothing>
  'Runtime.evaluate': Method<EvaluateOptions & { expression: string; contextId?: number; timeout?: number }, Evaluated>
  'Runtime.callFunctionOn': Method<
    EvaluateOptions & {
      functionDeclaration: string
      objectId?: string
      executionContextId?: number
      arguments?: readonly { value?: unknown; objectId?: string }[]
    },
    Evaluated
  >
  'Runtime.getProperties': Method<
    { objectId: string; ownProperties?: boolean },
    { result: { name: string; enumerable: boolean; value?: RemoteObject }[] }
  >
  'Runtime.releaseObject': Method<{ objectId: string }>
  'Runtime.releaseObjectGroup': Method<{ objectGroup: string }>
  'Runtime.runIfWaitingForDebugger': Method<Nothing>
  'Runtime.terminateExecution': Method<Nothing>

  'Network.enable': Method<{ maxTotalBufferSize?: number; maxResourceBufferSize?: number; maxPostDataSize?: number }>
  'Network.setBlockedURLs': Method<{
    urls?: readonly string[]
    urlPatterns?: readonly { urlPattern: string; block: boolean }[]
  }>
  'Network.setCookies': Method<{ cookies: readonly CookieParam[] }>
  'Network.setExtraHTTPHeaders': Method<{ headers: Headers }>
  'Network.setCacheDisabled': Method<{ cacheDisabled: boolean }>
  'Network.setBypassServiceWorker': Method<{ bypass: boolean }>
  'Network.getResponseBody': Method<{ requestId: string }, { body: string; base64Encoded: boolean }>
  'Storage.getCookies': Method<{ browserContextId?: string }, { cookies: Cookie[] }>
  'Storage.setCookies': Method<{ cookies: readonly CookieParam[]; browserContextId?: string }>
  'Storage.clearCookies': Method<{ browserContextId?: string }>
  'Security.setIgnoreCertificateErrors': Method<{ ignore: boolean }>

  'Fetch.enable': Method<{
    patterns?: readonly { urlPattern?: string; resourceType?: string; requestStage?: 'Request' | 'Response' }[]
    handleAuthRequests?: boolean
  }>
  'Fetch.disable': Method<Nothing>
  'Fetch.continueRequest': Method<{ requestId: string; url?: string; headers?: { name: string; value: string }[] }>
  'Fetch.fulfillRequest': Method<{
    requestId: string
    responseCode: number
    responseHeaders?: { name: string; value: string }[]
    body?: string
  }>
  'Fetch.failRequest': Method<{ requestId: string; errorReason: string }>
  'Fetch.getResponseBody': Method<{ requestId: string }, { body: string; base64Encoded: boolean }>
  'Fetch.continueWithAuth': Method<{
    requestId: string
    authChallengeResponse: { response: string; username?: string; password?: string }
  }>

  'Emulation.setDeviceMetricsOverride': Method<{
    width: number
    height: number
    deviceScaleFactor: number
    mobile: boolean
    screenWidth?: number
    screenHeight?: number
  }>
  'Emulation.clearDeviceMetricsOverride': Method<Nothing>
  'Emulation.setUserAgentOverride': Method<{
    userAgent: string
    acceptLanguage?: string
    platform?: string
    userAgentMetadata?: UserAgentMetadata
  }>
  'Emulation.setTimezoneOverride': Method<{ timezoneId: string }>
  'Emulation.setLocaleOverride': Method<{ locale?: string }>
  'Emulation.setGeolocationOverride': Method<{ latitude?: number; longitude?: number; accuracy?: number }>
  'Emulation.setTouchEmulationEnabled': Method<{ enabled: boolean; maxTouchPoints?: number }>
  'Emulation.setFocusEmulationEnabled': Method<{ enabled: boolean }>
  'Emulation.setScriptExecutionDisabled': Method<{ value: boolean }>
  'Emulation.setEmulatedMedia': Method<{ media?: string; features?: readonly { name: string; value: string }[] }>

  'Input.setInterceptDrags': Method<{ enabled: boolean }>
  'Input.dispatchDragEvent': Method<{
    type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel'
    x: number
    y: number
    data: object
    modifiers?: number
  }>
  'Input.dispatchMouseEvent': Method<{
    type: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel'
    x: number
    y: number
    button?: 'none' | 'left' | 'middle' | 'right'
    buttons?: number
    clickCount?: number
    deltaX?: number
    deltaY?: number
    modifiers?: number
  }>
  'Input.dispatchKeyEvent': Method<{
    type: 'keyDown' | 'keyUp' | 'rawKeyDown' | 'char'
    key?: string
    code?: string
    text?: string
    unmodifiedText?: string
    windowsVirtualKeyCode?: number
    location?: number
    isKeypad?: boolean
    autoRepeat?: boolean
    modifiers?: number
    commands?: readonly string[]
  }>
  'Input.insertText': Method<{ text: string }>
  'Input.imeSetComposition': Method<{ text: string; selectionStart: number; selectionEnd: number }>
}
