/** Every failure a caller can see: HTTP status, what happened, what to do next. */
export const errors = {
  BAD_REQUEST: e(400, 'The request does not match the schema.', 'Correct the listed fields and call again.'),
  BAD_REQUEST_INVALID_JSON: e(
    400,
    'The request body is not valid JSON.',
    'Send a JSON object with content-type application/json.',
  ),
  UNAUTHORIZED: e(
    401,
    'The API key is missing or not known.',
    'Send the header "Authorization: Bearer <API_KEY>"; make a key with "gossamer keys add NAME".',
  ),
  INSUFFICIENT_CREDITS: e(
    402,
    'Insufficient credits to perform this request.',
    'Raise the monthlyCredits setting or wait for the next month.',
  ),
  PERMISSION_REQUIRED: e(
    403,
    'This option must be enabled by the operator.',
    'Leave the option out, or ask the operator to add it to the permissions setting.',
  ),
  ORIGIN_REFUSED: e(
    403,
    'Requests for this host or from this web origin are refused.',
    'Call by the address the server listens on, or ask the operator to add the name to the httpHosts or httpOrigins setting.',
  ),
  JOB_OF_OTHER_TEAM: e(403, 'This job belongs to another team.', 'Use the API key that started the job.'),
  SCRAPE_ADDRESS_REFUSED: e(
    403,
    'The address is private, local or reserved, so it is not fetched.',
    'Use a public address; for local work the operator can add the host to the allowHosts setting.',
  ),
  FILE_NOT_ALLOWED: e(
    403,
    'Files of this machine may be read only where the operator allows it.',
    'Send the file itself, or ask the operator to add its folder to the fileFolders setting.',
  ),
  FILE_NOT_FOUND: e(404, 'There is no such file.', 'Check the path; it is a path of the machine that runs Gossamer.'),
  NOT_FOUND: e(404, 'There is no such route.', 'See /openapi.json for the routes.'),
  METHOD_NOT_ALLOWED: e(
    405,
    'This route does not know the method.',
    'Use one of the methods in the Allow header; see /openapi.json for the routes.',
  ),
  JOB_NOT_FOUND: e(404, 'Job not found.', 'Job ids expire; list recent ones with activity (GET /v2/team/activity).'),
  SCRAPE_NO_CACHED_DATA: e(
    404,
    'No cached copy of this page is old enough for minAge.',
    'Leave minAge out to fetch the page now, or use minAge 1 to accept any cached copy.',
  ),
  SCRAPE_LOCKDOWN_CACHE_MISS: e(
    404,
    'Lockdown is on and the page is not in the cache.',
    'Scrape the page once without lockdown, then call again.',
  ),
  SESSION_NOT_FOUND: e(
    404,
    'There is no such browser session.',
    'Make one with browser_create, or list those there are with browser_list.',
  ),
  SCRAPE_TIMEOUT: e(
    408,
    'The scrape did not finish within its timeout.',
    'Raise timeout (at most 300000 ms) or ask for fewer formats.',
  ),
  MAP_TIMEOUT: e(
    408,
    'No link of the site was found within the timeout.',
    'Raise timeout (at most 300000 ms), or set sitemap to only.',
  ),
  PROFILE_IN_USE: e(
    409,
    'Another visit is saving to this browser profile.',
    'Call again when it has ended, or use the profile without saving changes.',
  ),
  IDEMPOTENCY_KEY_REUSED: e(
    409,
    'A job was already begun with this idempotency key.',
    'Read that job, or send another x-idempotency-key to begin a new one.',
  ),
  JOB_IS_OVER: e(409, 'The job is over already.', 'Read its results; there is nothing left to cancel or to add to.'),
  REPLAY_UNAVAILABLE: e(
    409,
    'The visit of this scrape cannot be made again.',
    'Scrape the page once more, without zeroDataRetention and lockdown, and use the new jobId.',
  ),
  SESSION_GONE: e(
    410,
    'The browser session is over.',
    'Make another one with browser_create, or scrape the page again and use the new jobId.',
  ),
  PAYLOAD_TOO_LARGE: e(
    413,
    'The request body is too large.',
    'Send a smaller body; the limit is the maxRequestBytes setting.',
  ),
  QUEUE_FULL: e(429, 'Too many requests are waiting.', 'Wait for running requests to end, then call again.'),
  SESSION_LIMIT: e(
    429,
    'As many browser sessions are open as may be.',
    'Close one of details.sessions with browser_close, or wait until one ends.',
  ),
  REQUEST_CANCELLED: e(499, 'The request was cancelled by the caller.', 'Call again if the answer is still wanted.'),
  UNKNOWN_ERROR: e(
    500,
    'An unexpected error occurred.',
    'Call again; if it stays, report the error id, which the server log explains.',
  ),
  SCRAPE_ALL_ENGINES_FAILED: e(500, 'The site did not answer.', 'Check that the site is up, then call again.'),
  SCRAPE_PROXY_SELECTION_ERROR: e(
    500,
    'No proxy could be used for this request.',
    'Check the proxies setting, or leave proxy and location out.',
  ),
  SCRAPE_SITE_ERROR: e(
    500,
    'The site answered in a way that cannot be read.',
    'Check the URL in a browser; another page of the site may work.',
  ),
  SCRAPE_SSL_ERROR: e(
    500,
    'The TLS certificate of the site could not be verified.',
    'Set skipTlsVerification to true if you trust the site.',
  ),
  SCRAPE_UNSUPPORTED_FILE_ERROR: e(
    500,
    'This kind of file cannot be turned into text.',
    'HTML, text, JSON, feeds, images, PDF, docx, xlsx, pptx, odt, ods, odp, rtf, epub and csv can.',
  ),
  SCRAPE_ACTION_ERROR: e(
    500,
    'A step in the page could not be done.',
    'Check the selector or script of the step named; details.actions holds what the steps before it made.',
  ),
  MAP_FAILED: e(
    500,
    'The site could not be mapped.',
    'Check that the URL opens in a browser; another page of the site may work.',
  ),
  PROFILE_UNREADABLE: e(
    500,
    'The stored browser profile cannot be read.',
    'Leave the profile out, or use another name; the operator finds out more with "gossamer profile show NAME".',
  ),
  SCRAPE_PDF_OCR_REQUIRED: e(
    500,
    'The PDF is a scan: it holds pictures of text, and no text.',
    'Install tesseract on the machine that runs Gossamer and set the pdf parser to mode auto or ocr.',
  ),
  FEATURE_UNAVAILABLE: e(
    501,
    'This version of Gossamer does not do that yet.',
    'Leave the listed options out and call again.',
  ),
  REMOTE_UNAVAILABLE: e(
    502,
    'The remote service did not answer.',
    'Check the remoteUrl setting and the network, then call again.',
  ),
  SEARCH_UNAVAILABLE: e(
    502,
    'No search provider could answer.',
    'Call again later, or have the operator set a provider: GOSSAMER_SEARXNG_URL, or a key such as GOSSAMER_BRAVE_KEY.',
  ),
  BROWSER_UNAVAILABLE: e(
    503,
    'This needs a browser, and none could be started.',
    'Run "gossamer browser install", or install Chrome or Chromium ("apt-get install chromium"), or set GOSSAMER_BROWSER_PATH to the file of one.',
  ),
  SESSION_FAILED: e(
    502,
    'The browser of the session failed.',
    'Call again; if the session is gone by then, make another one.',
  ),
  SANDBOX_UNAVAILABLE: e(
    503,
    'Code is not run here, because this machine has no sandbox for it.',
    'Use browser_act, or have the operator install bubblewrap ("apt-get install bubblewrap") or, for Node code, Deno ("npm install deno" beside Gossamer), or set unsandboxedCode.',
  ),
  MODEL_UNAVAILABLE: e(
    503,
    'This needs a language model, and none is configured.',
    'Send code instead of a prompt, or drive the page yourself with browser_snapshot and browser_act.',
  ),
  SCRAPE_DNS_RESOLUTION_ERROR: e(
    200,
    'The host name of the URL does not exist.',
    'Check the spelling of the host name.',
  ),
} as const

function e(status: number, message: string, hint: string) {
  return { status, message, hint } as const
}
