"""Playwright's async API (https://playwright.dev/python/docs/api/class-page), using only the standard library.

Playwright itself runs in another process. A chain such as page.locator("a").first.click() is sent as a whole when it
is awaited.
"""
import asyncio, base64, inspect, json, os, pathlib, re, sys, types
import browser_channel as channel

CAMEL_CASE_EXCEPTIONS = {
    'query_selector': '$', 'query_selector_all': '$$', 'eval_on_selector': '$eval', 'eval_on_selector_all': '$$eval',
    'inner_html': 'innerHTML', 'get_by_test_id': 'getByTestId', 'wait_for_url': 'waitForURL', 'remove_listener': 'off',
    'set_extra_http_headers': 'setExtraHTTPHeaders', 'new_cdp_session': 'newCDPSession', 'post_data_json': 'postDataJSON',
    'aria_snapshot_json': 'ariaSnapshotJSON', 'route_from_har': 'routeFromHAR'}
# Members that Python's API returns without await: of the root objects, and of all objects.
ROOTS = {
    'page': ['context', 'frames', 'mainFrame', 'url', 'video', 'viewportSize', 'workers'],
    'context': ['backgroundPages', 'browser', 'pages', 'serviceWorkers'],
    'browser': ['browserType', 'contexts', 'version'],
    'playwright': ['devices']}
SYNC_METHODS = {'on', 'once', 'off', 'setDefaultTimeout', 'setDefaultNavigationTimeout', 'isClosed', 'isConnected', 'isDetached',
                'isNavigationRequest', 'isMultiple', 'frame', 'asElement'}
# The same function has the same number, so a listener can be removed.
callback_numbers = {}


class Error(Exception):
    @property
    def message(self):
        return str(self)


class TimeoutError(Error):
    pass


def camel(name):
    name = name.rstrip('_')
    return CAMEL_CASE_EXCEPTIONS.get(name) or re.sub(r'_([a-z0-9])', lambda match: match[1].upper(), name)


def value_of(response):
    if 'error' in response:
        error = response['error']
        raise (TimeoutError if error['name'] == 'TimeoutError' else Error)(error['message'])
    return decode(response.get('value'))


def encode(value):
    if isinstance(value, Chain):
        return {'$path': value._path}
    if isinstance(value, re.Pattern):
        flags = ('i' if value.flags & re.I else '') + ('s' if value.flags & re.S else '') + ('m' if value.flags & re.M else '')
        return {'$regular': value.pattern, 'flags': flags}
    if isinstance(value, (bytes, bytearray)):
        return {'$bytes': base64.b64encode(value).decode()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if callable(value):
        if value not in callback_numbers:
            callback_numbers[value] = channel.register_callback(taking_decoded(value))
        return {'$callback': callback_numbers[value]}
    if isinstance(value, dict):
        return {str(key): encode(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [encode(each) for each in value]
    return value


def taking_decoded(function):
    """Wraps a function: decodes the received values, and passes only as many as it has parameters."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = []
    takes_all = not parameters or any(each.kind is each.VAR_POSITIONAL for each in parameters)
    count = None if takes_all else sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)
    return lambda *values: function(*map(decode, values[:count]))


def decode(value):
    if isinstance(value, list):
        return [decode(each) for each in value]
    if isinstance(value, dict):
        if '$object' in value:
            return Chain([['object', value['$object']]], value['properties'])
        if '$bytes' in value:
            return base64.b64decode(value['$bytes'])
        if '$number' in value:
            return float(value['$number'].replace('Infinity', 'inf')) if value['$number'][-1] in 'yN' else int(value['$number'])
        return {key: decode(each) for key, each in value.items()}
    return value


class Chain:
    def __init__(self, path, properties=()):
        self._path, self._properties = path, properties

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if name.startswith('expect_'):
            return lambda *args, **options: ExpectedEvent(self, name[7:], args, options)
        path = self._path + [['get', camel(name)]]
        return value_of(channel.request_now(path)) if camel(name) in self._properties else Chain(path)

    def __call__(self, *args, **options):
        *parent, (_, name) = self._path
        if name in ('route', 'unroute') and args and callable(args[0]):
            args = by_predicate(*args)
        path = parent + [['call', name, arguments_of(name, args, options)]]
        return value_of(channel.request_now(path)) if name in SYNC_METHODS else Chain(path)

    def __await__(self):
        async def send():
            value = value_of(await channel.request(self._path))
            return pathlib.Path(value) if self._path[-1][1] == 'path' and value else value
        return send().__await__()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None

    def __eq__(self, other):
        return isinstance(other, Chain) and other._path == self._path

    def __hash__(self):
        return hash(json.dumps(self._path))

    def __repr__(self):
        return '<' + '.'.join(str(each[1]) for each in self._path) + '>'


def by_predicate(predicate, handler=None):
    """Routes by predicate: the browser cannot wait for Python to select URLs, so every request is intercepted and
    the others are passed on."""
    key = (predicate, handler)
    if key not in chosen_routes:
        async def choose(route, request):
            if predicate(request.url):
                return await channel.as_coroutine(handler(*[route, request][:len(inspect.signature(handler).parameters)]))
            await route.fallback()
        chosen_routes[key] = choose
    return '**/*', chosen_routes[key]


chosen_routes = {}


def arguments_of(name, args, options):
    """Returns the arguments in the order of Playwright's JavaScript API, with the options as one object at the end."""
    args = [encode(each) for each in args]
    if name == 'selectOption':
        chosen = {key: options.pop(key) for key in ('value', 'label', 'index') if key in options}
        if chosen:
            lists = [each if isinstance(each, (list, tuple)) else [each] for each in chosen.values()]
            args.append([dict(zip(chosen, each)) for each in zip(*lists)])
    elif name in ('evaluate', 'evaluateHandle') and 'arg' in options:
        args.append(encode(options.pop('arg')))
    elif name == 'waitForFunction':
        args = (args + [encode(options.pop('arg', None))])[:2]
    if options:
        args.append({camel(key): encode(each) for key, each in options.items() if each is not None})
    return args


class ExpectedEvent:
    """async with page.expect_popup() as info: …; popup = await info.value"""
    names = {'console_message': 'console', 'file_chooser': 'filechooser', 'request_finished': 'requestfinished'}

    def __init__(self, chain, name, args, options):
        if name in ('request', 'response'):
            self.chain = chain.wait_for_request(*args, **options) if name == 'request' else chain.wait_for_response(*args, **options)
        elif name == 'navigation':
            self.chain = chain.wait_for_navigation(**options)
        else:
            event, args = (args[0], args[1:]) if name == 'event' else (self.names.get(name, name), args)
            if args:
                options['predicate'] = args[0]
            self.chain = chain.wait_for_event(event, **options)

    async def __aenter__(self):
        self.value = asyncio.ensure_future(channel.as_coroutine(self.chain))
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, kind, *_):
        if kind is None:
            await self.value
        else:
            self.value.cancel()


class SessionPlaywright:
    """Returned to code that starts Playwright itself; provides the browser of the session."""
    browser = None

    def __init__(self):
        self.chromium = self.firefox = self.webkit = self

    def __getattr__(self, name):
        return getattr(root('playwright'), name)

    async def connect_over_cdp(self, *_, **__):
        return self.browser

    launch = connect = connect_over_cdp

    async def start(self):
        return self

    async def stop(self):
        return None

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None


def install():
    """Registers this API as `playwright.async_api`."""
    module = types.ModuleType('playwright.async_api')
    module.Error, module.TimeoutError, module.async_playwright = Error, TimeoutError, SessionPlaywright
    for name in ('Page', 'Browser', 'BrowserContext', 'Locator', 'ElementHandle', 'Playwright', 'Dialog', 'Response'):
        setattr(module, name, Chain)
    parent = types.ModuleType('playwright')
    parent.async_api = module
    sys.modules.update({'playwright': parent, 'playwright.async_api': module})


def root(name):
    return Chain([['object', name]], ROOTS[name])


def objects():
    """Returns the global variables of the code."""
    return {**{name: root(name) for name in ('page', 'context', 'browser')}, 'Error': Error, 'TimeoutError': TimeoutError}


channel.encode_result = encode
