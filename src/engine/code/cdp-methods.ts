const table = `
Accessibility: Reads the accessibility tree of a page: disable enable getAXNodeAndAncestors getChildAXNodes
  getFullAXTree getPartialAXTree getRootAXNode queryAXTree
Animation: Slows down and stops animations of a page: disable enable getCurrentTime getPlaybackRate releaseAnimations
  resolveAnimation seekAnimations setPaused setPlaybackRate setTiming
Audits: Lists faults of a page: checkFormsIssues disable enable getEncodedResponse
Browser: Names the browser, grants permissions to its pages, and sizes their windows: cancelDownload
  getGlobalPrivacyControl getVersion getWindowBounds getWindowForTarget grantPermissions resetPermissions
  setContentsSize setGlobalPrivacyControl setPermission setWindowBounds
CSS: Reads and changes style sheets of a page: addRule collectClassNames createStyleSheet disable enable
  forcePseudoState forceStartingStyle getAnimatedStylesForNode getBackgroundColors getComputedStyleForNode
  getEnvironmentVariables getInlineStylesForNode getLayersForNode getLocationForSelector getLonghandProperties
  getMatchedStylesForNode getMediaQueries getPlatformFontsForNode getStyleSheetText resolveValues
  setContainerQueryConditionText setContainerQueryText setEffectivePropertyValueForNode setKeyframeKey
  setLocalFontsEnabled setMediaText setNavigationText setPropertyRulePropertyName setRuleSelector setScopeText
  setStyleSheetText setStyleTexts setSupportsText startRuleUsageTracking stopRuleUsageTracking
  takeComputedStyleUpdates takeCoverageDelta trackComputedStyleUpdates trackComputedStyleUpdatesForNode
CacheStorage: Reads what a page has cached: deleteCache deleteEntry requestCacheNames requestCachedResponse
  requestEntries
Console: Messages of a page; older than Log: clearMessages disable enable
DOM: Reads and changes the nodes of a page: clearTextMarkers collectClassNamesFromSubtree copyTo describeNode disable
  discardSearchResults enable focus forceShowInterest forceShowPopover getAnchorElement getAttributes getBoxModel
  getContainerForNode getContentQuads getDetachedDomNodes getDocument getElementByRelation getFlattenedDocument
  getFrameOwner getImplicitAnchorCandidates getNodeForLocation getNodeStackTraces getNodesForSubtreeByStyle
  getOuterHTML getQueryingDescendantsForContainer getRelayoutBoundary getSearchResults getTopLayerElements
  hideHighlight highlightNode highlightRect markUndoableState moveTo performSearch pushNodeByPathToFrontend
  pushNodesByBackendIdsToFrontend querySelector querySelectorAll redo removeAttribute removeNode requestChildNodes
  requestNode resolveNode scrollIntoViewIfNeeded setAttributeValue setAttributesAsText setInspectedNode setNodeName
  setNodeStackTracesEnabled setNodeValue setOuterHTML setTextMarker undo
DOMDebugger: Stops scripts of a page where they change it: getEventListeners removeDOMBreakpoint
  removeEventListenerBreakpoint removeInstrumentationBreakpoint removeXHRBreakpoint setBreakOnCSPViolation
  setDOMBreakpoint setEventListenerBreakpoint setInstrumentationBreakpoint setXHRBreakpoint
DOMSnapshot: Copies the nodes of a page with their layout: captureSnapshot disable enable getSnapshot
DOMStorage: Reads and changes what a page has stored: clear disable enable getDOMStorageItems removeDOMStorageItem
  setDOMStorageItem
Debugger: Stops scripts of a page: continueToLocation disable disassembleWasmModule enable evaluateOnCallFrame
  getPossibleBreakpoints getScriptSource getStackTrace getWasmBytecode nextWasmDisassemblyChunk pause pauseOnAsyncCall
  removeBreakpoint restartFrame resume searchInContent setAsyncCallStackDepth setBlackboxExecutionContexts
  setBlackboxPatterns setBlackboxedRanges setBreakpoint setBreakpointByUrl setBreakpointOnFunctionCall
  setBreakpointsActive setInstrumentationBreakpoint setPauseOnExceptions setReturnValue setScriptSource
  setSkipAllPauses setVariableValue stepInto stepOut stepOver
DeviceOrientation: Tells a page how its device is held: clearDeviceOrientationOverride setDeviceOrientationOverride
Emulation: Tells a page what its device is, and where: addScreen canEmulate clearDeviceMetricsOverride
  clearDevicePostureOverride clearDisplayFeaturesOverride clearGeolocationOverride clearIdleOverride
  getOverriddenSensorInformation getScreenInfos removeScreen resetPageScaleFactor setAutoDarkModeOverride
  setAutomationOverride setCPUPerformanceOverride setCPUThrottlingRate setDataSaverOverride
  setDefaultBackgroundColorOverride setDeviceMetricsOverride setDevicePostureOverride setDisabledImageTypes
  setDisplayFeaturesOverride setDocumentCookieDisabled setEmitTouchEventsForMouse setEmulatedMedia
  setEmulatedOSTextScale setEmulatedVisionDeficiency setFocusEmulationEnabled setGeolocationOverride
  setHardwareConcurrencyOverride setIdleOverride setLocaleOverride setNavigatorOverrides setPageScaleFactor
  setPressureSourceOverrideEnabled setPressureStateOverride setPrimaryScreen setSafeAreaInsetsOverride
  setScriptExecutionDisabled setScrollbarsHidden setSensorOverrideEnabled setSensorOverrideReadings
  setSmallViewportHeightDifferenceOverride setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride
  setVirtualKeyboardGeometryOverride setVirtualTimePolicy setVisibleSize updateScreen
EventBreakpoints: Stops scripts of a page at events: disable removeInstrumentationBreakpoint
  setInstrumentationBreakpoint
Fetch: Answers requests of a page, or lets them through; they still pass the proxy of the session: continueRequest
  continueResponse continueWithAuth disable enable failRequest fulfillRequest getResponseBody takeResponseBodyAsStream
HeadlessExperimental: Draws a page frame by frame: beginFrame disable enable
HeapProfiler: Measures memory of a page: addInspectedHeapObject collectGarbage disable enable getHeapObjectId
  getObjectByHeapObjectId getSamplingProfile startSampling startTrackingHeapObjects stopSampling
  stopTrackingHeapObjects takeHeapSnapshot
IO: Reads the streams that other methods answer with: close read resolveBlob
IndexedDB: Reads and changes what a page has stored: clearObjectStore deleteDatabase deleteObjectStoreEntries disable
  enable getMetadata requestData requestDatabase requestDatabaseNames
Input: Mouse, keys and touch of a page; files in a drag are refused: cancelDragging dispatchDragEvent dispatchKeyEvent
  dispatchMouseEvent dispatchTouchEvent emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents
  setInterceptDrags synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture
Inspector: Tells that a page has crashed: disable enable
LayerTree: Tells how a page is drawn: compositingReasons disable enable loadSnapshot makeSnapshot profileSnapshot
  releaseSnapshot replaySnapshot snapshotCommandLog
Log: Messages of a page: clear disable enable startViolationsReport stopViolationsReport
Media: Tells what the players of a page do: disable enable
Memory: Measures memory, and lets a page run short of it: forciblyPurgeJavaScriptMemory getAllTimeSamplingProfile
  getBrowserSamplingProfile getDOMCounters getDOMCountersForLeakDetection getSamplingProfile prepareForLeakDetection
  setPressureNotificationsSuppressed simulatePressureNotification startSampling stopSampling
Network: Watches requests of a page, and reads and sets its cookies: canClearBrowserCache canClearBrowserCookies
  canEmulateNetworkConditions clearBrowserCache clearBrowserCookies configureDurableMessages deleteCookies
  deleteDeviceBoundSession disable emulateNetworkConditions emulateNetworkConditionsByRule enable
  enableDeviceBoundSessions enableReportingApi fetchSchemefulSite getAllCookies getCertificate getCookies
  getRequestPostData getResponseBody getSecurityIsolationStatus loadNetworkResource overrideNetworkState replayXHR
  searchInResponseBody setAttachDebugStack setBlockedURLs setBypassServiceWorker setCacheDisabled setCookie
  setCookieControls setCookies setExtraHTTPHeaders setUserAgentOverride streamResourceContent
Overlay: Draws marks on a page: disable enable getGridHighlightObjectsForTest getHighlightObjectForTest
  getSourceOrderHighlightObjectForTest hideHighlight highlightFrame highlightNode highlightQuad highlightRect
  highlightSourceOrder setInspectMode setPausedInDebuggerMessage setShowAdHighlights setShowContainerQueryOverlays
  setShowDebugBorders setShowDisplayCutout setShowFPSCounter setShowFlexOverlays setShowGridOverlays setShowHinge
  setShowHitTestBorders setShowInspectedElementAnchor setShowIsolatedElements setShowLayoutShiftRegions
  setShowPaintRects setShowScrollBottleneckRects setShowScrollSnapOverlays setShowViewportSizeOnResize
  setShowWebVitals setShowWindowControlsOverlay
Page: Navigates a page, draws it, and runs scripts in it: addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument
  bringToFront captureScreenshot captureSnapshot clearCompilationCache clearDeviceMetricsOverride
  clearDeviceOrientationOverride clearGeolocationOverride close crash createIsolatedWorld deleteCookie disable enable
  generateTestReport getAdScriptAncestry getAnnotatedPageContent getAppId getAppManifest getFrameTree
  getInstallabilityErrors getLayoutMetrics getManifestIcons getNavigationHistory getOriginTrials
  getPermissionsPolicyState getResourceContent getResourceTree getSiblingSubApps getSubApps handleJavaScriptDialog
  navigate navigateToHistoryEntry printToPDF produceCompilationCache reload removeScriptToEvaluateOnLoad
  removeScriptToEvaluateOnNewDocument resetNavigationHistory screencastFrameAck searchInResource setAdBlockingEnabled
  setBypassCSP setDeviceMetricsOverride setDeviceOrientationOverride setDocumentContent setFontFamilies setFontSizes
  setGeolocationOverride setInterceptFileChooserDialog setLifecycleEventsEnabled setPrerenderingAllowed
  setRPHRegistrationMode setSPCTransactionMode setTouchEmulationEnabled setWebLifecycleState startScreenRecording
  startScreencast stopLoading stopScreenRecording stopScreencast waitForDebugger
Performance: Measures a page: disable enable getMetrics setTimeDomain
PerformanceTimeline: Measures a page: enable
Profiler: Measures scripts of a page: disable enable getBestEffortCoverage setSamplingInterval start
  startPreciseCoverage stop stopPreciseCoverage takePreciseCoverage
Runtime: Runs scripts in a page: addBinding awaitPromise callFunctionOn compileScript disable discardConsoleEntries
  enable evaluate getExceptionDetails getHeapUsage getIsolateId getProperties globalLexicalScopeNames queryObjects
  releaseObject releaseObjectGroup removeBinding runIfWaitingForDebugger runScript setAsyncCallStackDepth
  setCustomObjectFormatterEnabled setMaxCallStackSizeToCapture terminateExecution
Schema: Names the domains there are: getDomains
Security: Lets a page open although its certificate is invalid: disable enable handleCertificateError
  setIgnoreCertificateErrors setOverrideCertificateErrors
ServiceWorker: Starts and stops the service workers of a page: deliverPushMessage disable dispatchPeriodicSyncEvent
  dispatchSyncEvent enable setForceUpdateOnPageLoad skipWaiting startWorker stopAllWorkers stopWorker unregister
  updateRegistration
Storage: Reads and clears what pages have stored: clearCookies clearDataForOrigin clearDataForStorageKey
  clearPrivateVerificationTokens clearTrustTokens deletePrivateVerificationToken deleteStorageBucket getCookies
  getPrivateVerificationTokens getPrivateVerificationTokensIssuerConfigs getStorageKey getStorageKeyForFrame
  getTrustTokens getUsageAndQuota runBounceTrackingMitigations setCookies setPrivateVerificationTokensTracking
  setStorageBucketTracking trackCacheStorageForOrigin trackCacheStorageForStorageKey trackIndexedDBForOrigin
  trackIndexedDBForStorageKey untrackCacheStorageForOrigin untrackCacheStorageForStorageKey untrackIndexedDBForOrigin
  untrackIndexedDBForStorageKey
Target: Finds, opens and closes pages: activateTarget attachToBrowserTarget attachToTarget autoAttachRelated
  closeTarget createTarget detachFromTarget getBrowserContexts getTargetInfo getTargets setAutoAttach
  setDiscoverTargets
Tracing: Records what the browser of the session does: end getCategories getTrackEventDescriptor recordClockSyncMarker
  requestMemoryDump start
WebAudio: Tells what a page plays: disable enable getRealtimeData
WebAuthn: Gives a page a security key other than those of the machine: addCredential addVirtualAuthenticator
  clearCredentials disable enable getCredential getCredentials removeCredential removeVirtualAuthenticator
  setAutomaticPresenceSimulation setCredentialProperties setResponseOverrideBits setUserVerified
WebMCP: Calls the tools that a page offers: cancelInvocation disable enable invokeTool`

/**
 * Methods of the DevTools Protocol that stay within the pages of a session, by domain, with the purpose of each domain.
 */
export const withinPages: Readonly<Record<string, readonly [what: string, methods: string]>> = Object.fromEntries(
  table
    .trim()
    .split(/\n(?! )/)
    .map((row) => row.split(': '))
    .map(([domain = '', what = '', methods = '']) => [domain, [what, methods]]),
)
