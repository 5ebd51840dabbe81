import type { ExceptionDetails, Frame, NetworkRequest, NetworkResponse, RemoteObject, TargetInfo } from './shapes.ts'

type Nothing = Record<string, never>

/** The events that have listeners: add a line for each further one. */
export type CdpEvents = {
  'Browser.downloadWillBegin': { frameId: string; guid: string; url: string; suggestedFilename: string }
  'Browser.downloadProgress': { guid: string; totalBytes: number; receivedBytes: number; state: string }

  'Target.attachedToTarget': { sessionId: string; targetInfo: TargetInfo; waitingForDebugger: boolean }
  'Target.detachedFromTarget': { sessionId: string; targetId?: string }
  'Target.targetCreated': { targetInfo: TargetInfo }
  'Target.targetInfoChanged': { targetInfo: TargetInfo }
  'Target.targetDestroyed': { targetId: string }
  'Target.targetCrashed': { targetId: string; status: string; errorCode: number }
  'Inspector.targetCrashed': Nothing

  'Input.dragIntercepted': { data: object }
  'Page.lifecycleEvent': { frameId: string; loaderId: string; name: string; timestamp: number }
  'Page.domContentEventFired': { timestamp: number }
  'Page.loadEventFired': { timestamp: number }
  'Page.frameNavigated': { frame: Frame }
  'Page.navigatedWithinDocument': { frameId: string; url: string }
  'Page.frameAttached': { frameId: string; parentFrameId: string }
  'Page.frameDetached': { frameId: string; reason: string }
  'Page.frameStartedLoading': { frameId: string }
  'Page.frameStoppedLoading': { frameId: string }
  'Page.frameRequestedNavigation': { frameId: string; reason: string; url: string }
  'Page.javascriptDialogOpening': { url: string; message: string; type: string; defaultPrompt?: string }
  'Page.javascriptDialogClosed': { result: boolean; userInput: string }
  'Page.fileChooserOpened': { frameId: string; mode: 'selectSingle' | 'selectMultiple'; backendNodeId?: number }
  'Page.screencastFrame': {
    sessionId: number
    data: string
    metadata: { deviceWidth: number; deviceHeight: number; timestamp?: number }
  }
  'Page.windowOpen': { url: string; windowName: string; userGesture: boolean }

  'Runtime.executionContextCreated': {
    context: { id: number; uniqueId: string; origin: string; name: string; auxData?: Record<string, unknown> }
  }
  'Runtime.executionContextDestroyed': { executionContextId: number; executionContextUniqueId: string }
  'Runtime.executionContextsCleared': Nothing
  'Runtime.consoleAPICalled': { type: string; args: RemoteObject[]; timestamp: number }
  'Runtime.exceptionThrown': { timestamp: number; exceptionDetails: ExceptionDetails }

  'Network.requestWillBeSent': {
    requestId: string
    loaderId: string
    documentURL: string
    request: NetworkRequest
    type?: string
    frameId?: string
    timestamp: number
    redirectResponse?: NetworkResponse
  }
  'Network.responseReceived': {
    requestId: string
    loaderId: string
    type: string
    frameId?: string
    timestamp: number
    response: NetworkResponse
  }
  'Network.dataReceived': { requestId: string; dataLength: number; encodedDataLength: number; timestamp: number }
  'Network.loadingFinished': { requestId: string; timestamp: number; encodedDataLength: number }
  'Network.loadingFailed': {
    requestId: string
    type: string
    errorText: string
    canceled?: boolean
    blockedReason?: string
    timestamp: number
  }
  'Fetch.requestPaused': {
    requestId: string
    request: NetworkRequest
    frameId: string
    resourceType: string
    responseStatusCode?: number
    responseErrorReason?: string
    responseHeaders?: { name: string; value: string }[]
    networkId?: string
  }
  'Fetch.authRequired': { requestId: string; request: NetworkRequest; authChallenge: Record<string, unknown> }
}
