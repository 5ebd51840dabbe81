/** What a scrape answers, on its own or within a crawl, a batch or a search. */
export const scrapeErrors = {
  SCRAPE_DNS_RESOLUTION_ERROR: {
    status: 200,
    message: 'The host name of the URL does not exist.',
    hint: 'Check the spelling of the host name.',
  },
  SCRAPE_ACTIONS_NOT_SUPPORTED: {
    status: 400,
    message: 'Actions are not supported here.',
    hint: 'Leave actions out for this URL.',
  },
  SCRAPE_ADDRESS_REFUSED: {
    status: 403,
    message: 'The address is private, local or reserved, so it is not fetched (SSRF protection).',
    hint: 'Use a public address. For local work the operator can add the host to GOSSAMER_ALLOW_HOSTS, or to the private hosts of a team.',
  },
  SCRAPE_NO_CACHED_DATA: {
    status: 404,
    message: 'No cached copy of this page is old enough for minAge.',
    hint: 'Leave minAge out to fetch the page now, or set minAge to 1 to accept any cached copy.',
  },
  SCRAPE_LOCKDOWN_CACHE_MISS: {
    status: 404,
    message: 'Lockdown is on and the page is not in the cache.',
    hint: 'Scrape the page once without lockdown, then call again.',
  },
  SCRAPE_TIMEOUT: {
    status: 408,
    message: 'The scrape did not finish within its timeout.',
    hint: 'Raise timeout (at most 300000 ms) or request fewer formats.',
  },
  SCRAPE_ALL_ENGINES_FAILED: {
    status: 500,
    message: 'The site did not answer.',
    hint: 'Check that the site is up, then call again.',
  },
  SCRAPE_PROXY_SELECTION_ERROR: {
    status: 500,
    message: 'No proxy could be used for this request.',
    hint: 'Leave proxy and location out, or ask the operator to check GOSSAMER_PROXIES.',
  },
  SCRAPE_SITE_ERROR: {
    status: 500,
    message: 'The site returned a response that cannot be read.',
    hint: 'Check the URL in a browser; another page of the site may work.',
  },
  SCRAPE_SSL_ERROR: {
    status: 500,
    message: 'The TLS certificate of the site could not be verified.',
    hint: 'Set skipTlsVerification to true if you trust the site.',
  },
  SCRAPE_UNSUPPORTED_FILE_ERROR: {
    status: 500,
    message: 'This kind of file cannot be converted to text.',
    hint: 'Supported: HTML, text, JSON, feeds, images, PDF, docx, xlsx, pptx, odt, ods, odp, rtf, epub and csv.',
  },
  SCRAPE_ACTION_ERROR: {
    status: 500,
    message: 'A browser action failed.',
    hint: 'Check the selector or script of the action named in details. details.actions holds the results of the actions before it.',
  },
  SCRAPE_BRANDING_NOT_SUPPORTED: {
    status: 500,
    message: 'The format branding is not supported here.',
    hint: 'Leave branding out for this URL.',
  },
  SCRAPE_AUDIO_UNSUPPORTED_URL: {
    status: 500,
    message: 'The URL leads to a file without sound.',
    hint: 'Use the URL of the page that plays it.',
  },
  SCRAPE_VIDEO_UNSUPPORTED_URL: {
    status: 500,
    message: 'The URL leads to a file that is no film.',
    hint: 'Use the URL of the page that plays it.',
  },
  SCRAPE_ZDR_VIOLATION_ERROR: {
    status: 500,
    message: 'An option is not possible with zeroDataRetention.',
    hint: 'Leave out the options listed in details.',
  },
  SCRAPE_JOB_CANCELLED: {
    status: 500,
    message: 'The scrape was cancelled before it finished.',
    hint: 'Call again if you still need the result.',
  },
  SCRAPE_PDF_OCR_REQUIRED: {
    status: 500,
    message: 'The PDF is a scan without a text layer.',
    hint: 'Ask the operator to install tesseract on the machine that runs Gossamer, and set the pdf parser to mode auto or ocr.',
  },
} as const
