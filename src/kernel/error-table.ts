/** Errors of surfaces, possible for every operation; operations do not list them. */
const surfaceErrors = {
  BAD_REQUEST: e(400, 'The request does not match the schema.', 'Correct the listed fields and call again.'),
  BAD_REQUEST_INVALID_JSON: e(
    400,
    'The request body is not valid JSON.',
    'Send a JSON object with the header content-type: application/json.',
  ),
  UNAUTHORIZED: e(
    401,
    'The API key is missing or invalid.',
    'Send the header "Authorization: Bearer <API_KEY>". Create a key with "gossamer keys add NAME".',
  ),
  INSUFFICIENT_SCOPE: e(
    403,
    'The access token lacks the required scope.',
    'Get an access token with the scope "gossamer".',
  ),
  TEAM_DISABLED: e(
    403,
    'The operator has disabled this team.',
    'Ask the operator to enable it; its jobs and monitors then continue.',
  ),
  ORIGIN_REFUSED: e(
    403,
    'The server does not accept requests for this host name or from this web origin.',
    'Use the address the server listens on, or ask the operator to add the name to GOSSAMER_HTTP_HOSTS or GOSSAMER_HTTP_ORIGINS.',
  ),
  NOT_FOUND: e(404, 'This route does not exist.', 'See /openapi.json for the routes.'),
  METHOD_NOT_ALLOWED: e(
    405,
    'This route does not support the HTTP method.',
    'Use a method from the Allow header. /openapi.json lists the routes.',
  ),
  UNKNOWN_ERROR: e(
    500,
    'An unexpected error occurred.',
    'Call again. If it persists, report the error id; the server log has the details under it.',
  ),
  FEATURE_UNAVAILABLE: e(
    501,
    'This version of Gossamer does not support this yet.',
    'Leave the listed options out and call again.',
  ),
  REMOTE_UNAVAILABLE: e(
    502,
    'The remote service did not answer.',
    'Ask the operator to check GOSSAMER_REMOTE_URL and the network, then call again.',
  ),
  DATABASE_UNAVAILABLE: e(
    503,
    'The database does not answer.',
    'Call again in a minute; running jobs continue by themselves. On the server, "gossamer doctor" shows the reason.',
  ),
  DATABASE_DAMAGED: e(
    500,
    'The database is damaged.',
    'Ask the operator to stop the program and restore the data from a backup or, without one, move the database away, so that a new one is created. "gossamer doctor" checks it.',
  ),
  OBJECT_STORE_UNAVAILABLE: e(
    503,
    'The store that holds the file does not answer.',
    'Open the link again in a minute. On the server, "gossamer doctor" shows the reason.',
  ),
  AUTHORIZATION_UNAVAILABLE: e(
    503,
    'The signing keys of the authorization server could not be fetched.',
    'Call again in a minute. On the server, "gossamer doctor" shows the reason.',
  ),
} as const

/** Errors of middleware, by the parts of an operation that need it (`errorsOf`); operations do not list them either. */
const middlewareErrors = {
  INSUFFICIENT_CREDITS: e(
    402,
    'Insufficient credits to perform this request.',
    'Wait for the next month, or ask the operator to raise the credits (gossamer teams set, or GOSSAMER_MONTHLY_CREDITS).',
  ),
  PERMISSION_REQUIRED: e(
    403,
    'This option must be enabled by the operator.',
    'Leave the option out, or ask the operator to add it to GOSSAMER_PERMISSIONS.',
  ),
  IDEMPOTENCY_KEY_REUSED: e(
    409,
    'This idempotency key was used for another request in the last 24 hours.',
    'Send a new x-idempotency-key, or repeat the same request to get its response again.',
  ),
  RATE_LIMITED: e(
    429,
    'The team has reached its limit of calls per minute.',
    'Call again in the next minute, or ask the operator to raise the rate.',
  ),
  QUEUE_FULL: e(429, 'Too many requests are waiting.', 'Wait for running requests to finish, then call again.'),
  REQUEST_CANCELLED: e(499, 'The request was cancelled by the caller.', 'Call again if you still need the result.'),
  STORAGE_FULL: e(
    507,
    'The disk of the data folder is full.',
    'Ask the operator to free space where GOSSAMER_DATA_DIR is; running jobs then continue by themselves.',
  ),
} as const

/** Errors of a scrape, on its own or within a crawl, a batch or a search. */
const scrapeErrors = {
  SCRAPE_DNS_RESOLUTION_ERROR: e(
    200,
    'The host name of the URL does not exist.',
    'Check the spelling of the host name.',
  ),
  SCRAPE_ACTIONS_NOT_SUPPORTED: e(400, 'Actions are not supported here.', 'Leave actions out for this URL.'),
  SCRAPE_ADDRESS_REFUSED: e(
    403,
    'The address is private, local or reserved (SSRF protection), or outside the domains of the team, so it is not fetched.',
    'Use a public address that the team may reach, or, for local work, ask the operator to add the host to GOSSAMER_ALLOW_HOSTS or to the private hosts of the team.',
  ),
  SCRAPE_NO_CACHED_DATA: e(
    404,
    'No cached copy of this page is old enough for minAge.',
    'Leave minAge out to fetch the page now, or set minAge to 1 to accept any cached copy.',
  ),
  SCRAPE_LOCKDOWN_CACHE_MISS: e(
    404,
    'Lockdown is on and the page is not in the cache.',
    'Scrape the page once without lockdown, then call again.',
  ),
  SCRAPE_TIMEOUT: e(
    408,
    'The scrape did not finish within its timeout.',
    'Raise timeout (at most 300000 ms) or request fewer formats.',
  ),
  SCRAPE_ALL_ENGINES_FAILED: e(500, 'The site did not answer.', 'Check that the site is up, then call again.'),
  SCRAPE_PROXY_SELECTION_ERROR: e(
    500,
    'No proxy could be used for this request.',
    'Leave proxy and location out, or ask the operator to check GOSSAMER_PROXIES.',
  ),
  SCRAPE_SITE_ERROR: e(
    500,
    'The site returned a response that cannot be read.',
    'Check the URL in a browser; another page of the site may work.',
  ),
  SCRAPE_SSL_ERROR: e(
    500,
    'The TLS certificate of the site could not be verified.',
    'Set skipTlsVerification to true if you trust the site.',
  ),
  SCRAPE_UNSUPPORTED_FILE_ERROR: e(
    500,
    'This kind of file cannot be converted to text.',
    'Supported: HTML, text, JSON, feeds, images, PDF, docx, xlsx, pptx, odt, ods, odp, rtf, epub, csv, ipynb, eml and mhtml.',
  ),
  SCRAPE_ACTION_ERROR: e(
    500,
    'A browser action failed.',
    'Check the selector or script of the action named in details. details.actions holds the results of the actions before it.',
  ),
  SCRAPE_BRANDING_NOT_SUPPORTED: e(
    500,
    'The format branding is not supported here.',
    'Leave branding out for this URL.',
  ),
  SCRAPE_AUDIO_UNSUPPORTED_URL: e(500, 'The file at this URL has no audio.', 'Use the URL of the page that plays it.'),
  SCRAPE_VIDEO_UNSUPPORTED_URL: e(
    500,
    'The file at this URL is not a video.',
    'Use the URL of the page that plays it.',
  ),
  SCRAPE_ZDR_VIOLATION_ERROR: e(
    500,
    'An option is not possible with zeroDataRetention.',
    'Leave out the options listed in details.',
  ),
  SCRAPE_JOB_CANCELLED: e(
    500,
    'The scrape was cancelled before it finished.',
    'Call again if you still need the result.',
  ),
  SCRAPE_PDF_OCR_REQUIRED: e(
    500,
    'The PDF is a scan without a text layer.',
    'Ask the operator to install tesseract on the machine that runs Gossamer, and set the pdf parser to mode auto or ocr.',
  ),
} as const

/** Errors of operations. Each is listed by at least one operation, or the list of operations does not compile. */
const operationErrors = {
  ...scrapeErrors,
  JOB_OF_OTHER_TEAM: e(403, 'This job belongs to another team.', 'Use the API key that started the job.'),
  FILE_NOT_ALLOWED: e(
    403,
    'The file is outside the folders that the operator allows.',
    'Send the file content instead, or ask the operator to add its folder to GOSSAMER_FILE_FOLDERS.',
  ),
  FILE_NOT_FOUND: e(
    404,
    'The file does not exist.',
    'Check the path. It must be a path on the machine that runs Gossamer.',
  ),
  JOB_NOT_FOUND: e(404, 'Job not found.', 'Job ids expire. List recent ones with activity (GET /v2/team/activity).'),
  MONITOR_NOT_FOUND: e(404, 'The monitor does not exist.', 'List the monitors of the team (GET /v2/monitor).'),
  SESSION_NOT_FOUND: e(
    404,
    'The browser session does not exist.',
    'Open one with browser_create, or list the open ones with activity.',
  ),
  MAP_TIMEOUT: e(
    408,
    'No links were found within the timeout.',
    'Raise timeout (at most 300000 ms), or set sitemap to only.',
  ),
  SEARCH_TIMEOUT: e(408, 'No search provider answered within the timeout.', 'Raise timeout (at most 300000 ms).'),
  PROFILE_IN_USE: e(
    409,
    'Another session or scrape is writing to this browser profile.',
    'Call again when it has ended, or use the profile without saving changes.',
  ),
  JOB_IS_OVER: e(409, 'The job has already ended.', 'Read its results. It can no longer be cancelled or extended.'),
  REPLAY_UNAVAILABLE: e(
    409,
    'The visit behind this scrape cannot be repeated.',
    'Scrape the page again without zeroDataRetention, lockdown and redactPII, then use the new jobId.',
  ),
  SESSION_GONE: e(
    410,
    'The browser session has ended.',
    'Open a new one with browser_create, or scrape the page again and use the new jobId.',
  ),
  PAYLOAD_TOO_LARGE: e(
    413,
    'The request body is too large.',
    'Send a smaller body. The operator sets the limit with GOSSAMER_MAX_REQUEST_BYTES.',
  ),
  SESSION_LIMIT: e(
    429,
    'The team has reached its limit of open browser sessions.',
    'Close one of details.sessions with browser_close, or wait until one ends.',
  ),
  MAP_FAILED: e(
    500,
    'The site could not be mapped.',
    'Check that the URL opens in a browser; another page of the site may work.',
  ),
  PROFILE_UNREADABLE: e(
    500,
    'The stored browser profile cannot be read.',
    'Leave the profile out or use another name. The operator can run "gossamer profile show NAME" to see why.',
  ),
  SEARCH_UNAVAILABLE: e(
    502,
    'No search provider could answer.',
    'Call again later, or ask the operator to set GOSSAMER_SEARXNG_URL or a key such as GOSSAMER_BRAVE_KEY.',
  ),
  BROWSER_UNAVAILABLE: e(
    503,
    'This needs a headless browser, and none could be started.',
    'Ask the operator to run "gossamer browser install", install Chrome or Chromium ("apt-get install chromium"), or set GOSSAMER_BROWSER_PATH.',
  ),
  SUPPORT_TIMEOUT: e(
    504,
    'The diagnosis did not finish within 60 s.',
    'See details for the findings so far. Ask again with the id of the job to narrow the search.',
  ),
  SESSION_FAILED: e(
    502,
    'The browser of the session failed.',
    'Call again. If the session is gone, open a new one with browser_create.',
  ),
  SANDBOX_UNAVAILABLE: e(
    503,
    'Code cannot run: this machine has no strong sandbox for it, and the settings do not allow a weaker one.',
    'Use browser_act, or ask the operator to install bubblewrap ("apt-get install bubblewrap") or, for Node code, Deno ("npm install deno" beside Gossamer). If every caller is trusted with the machine, GOSSAMER_UNSANDBOXED_CODE=always allows code without a strong sandbox.',
  ),
  MODEL_UNAVAILABLE: e(
    503,
    'This needs a language model, and none is configured.',
    'Leave out what needs a model, or ask the operator to set GOSSAMER_MODEL and, for a model of their own, GOSSAMER_MODEL_URL.',
  ),
  MODEL_FAILED: e(
    502,
    'The language model gave no usable answer.',
    'Call again. If it persists, ask the operator to run "gossamer doctor".',
  ),
  MODEL_TIMEOUT: e(
    504,
    'The language model did not answer in time.',
    'Call again with less input, or ask the operator to set a faster model or a higher GOSSAMER_MODEL_TIMEOUT_SECONDS.',
  ),
} as const

/** Errors that a job reports for its URLs or its end; no call fails with these. */
const listedErrors = {
  CRAWL_DENIAL: e(403, 'The start URL may not be crawled: robots.txt forbids it.', 'Start from a URL that it allows.'),
  NO_PAGE_READ: e(502, 'No page could be read.', 'Check that the URLs open in a browser, or send others.'),
} as const

/** Every error a caller can see: HTTP status, what happened, and the next call to make. */
export const errors = { ...surfaceErrors, ...middlewareErrors, ...operationErrors, ...listedErrors }

export type MiddlewareError = keyof typeof middlewareErrors
export type OperationError = keyof typeof operationErrors

function e(status: number, message: string, hint: string) {
  return { status, message, hint } as const
}
