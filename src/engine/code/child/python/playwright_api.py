"""Playwright's async API (https://playwright.dev/python/docs/api/class-page), with the standard library alone.

Its objects live in another process. A chain such as page.locator("a").first.click() is sent whole when it is awaited.
"""
import asyncio, base64, json, re, sys, types
import browser_channel as channel

CAMEL_CASE_EXCEPTIONS = {
    'query_selector': '$', 'query_selector_all': '$$', 'eval_on_selector': '$eval', 'eval_on_selector_all': '$$eval',
    'inner_html': 'innerHTML', 'get_by_test_id': 'getByTestId', 'wait_for_url': 'waitForURL', 'remove_listener': 'off'}
SYNC_PROPERTIES = {'url', 'pages', 'contexts', 'version'}
SYNC_METHODS = {'on', 'once', 'off', 'setDefaultTimeout', 'setDefaultNavigationTimeout', 'isClosed', 'isConnected'}


class Error(Exception):
    @property
    def message(self):
        return str(self)


class TimeoutError(Error):
    pass


def camel(name):
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
    if callable(value):
        return {'$callback': channel.register_callback(lambda argument: value(decode(argument)))}
    if isinstance(value, dict):
        return {str(key): encode(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [encode(each) for each in value]
    return value


def decode(value):
    if isinstance(value, list):
        return [decode(each) for each in value]
    if isinstance(value, dict):
        if '$object' in value:
            return Chain([['object', value['$object']]], value['attributes'])
        if '$bytes' in value:
            return base64.b64decode(value['$bytes'])
        if '$number' in value:
            return float(value['$number'].replace('Infinity', 'inf')) if value['$number'][-1] in 'yN' else int(value['$number'])
        return {key: decode(each) for key, each in value.items()}
    return value


class Chain:
    def __init__(self, path, attributes=None):
        self._path, self._attributes = path, attributes or {}

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if camel(name) in self._attributes:
            return self._attributes[camel(name)]
        if name.startswith('expect_') and name != 'expect':
            return lambda *args, **options: ExpectedEvent(self, name[7:], args, options)
        path = self._path + [['get', camel(name)]]
        return value_of(channel.request_now(path)) if name in SYNC_PROPERTIES else Chain(path)

    def __call__(self, *args, **options):
        *parent, (_, name) = self._path
        file = options.pop('path', None) if name in ('screenshot', 'pdf') else None
        if file and str(file).lower().endswith(('.jpg', '.jpeg')):
            options.setdefault('type', 'jpeg')
        path = parent + [['call', name, arguments_of(name, args, options)]]
        return value_of(channel.request_now(path)) if name in SYNC_METHODS else Chain(path, {'path': file} if file else None)

    def __await__(self):
        async def send():
            value = value_of(await channel.request(self._path))
            if 'path' in self._attributes:
                with open(self._attributes['path'], 'wb') as file:
                    file.write(value)
            return value
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


def arguments_of(name, args, options):
    """Arguments in the order of Playwright's JavaScript API, where options are one object at the end."""
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

    def __init__(self, chain, name, args, options):
        events = {'popup': 'popup', 'page': 'page', 'console_message': 'console', 'event': None}
        if name == 'navigation':
            self.chain = chain.wait_for_navigation(**options)
        elif name in events:
            self.chain = chain.wait_for_event(*([events[name]] if events[name] else []), *args[:1], **options)
        else:
            raise Error(f'expect_{name} is not supported by the built-in part of the Playwright API.')

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
    """Code that starts Playwright itself gets the browser of the session."""
    browser = None

    def __init__(self):
        self.chromium = self.firefox = self.webkit = self

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
    """Makes `import playwright.async_api` find this API."""
    module = types.ModuleType('playwright.async_api')
    module.Error, module.TimeoutError, module.async_playwright = Error, TimeoutError, SessionPlaywright
    for name in ('Page', 'Browser', 'BrowserContext', 'Locator', 'ElementHandle', 'Playwright', 'Dialog', 'Response'):
        setattr(module, name, Chain)
    parent = types.ModuleType('playwright')
    parent.async_api = module
    sys.modules.update({'playwright': parent, 'playwright.async_api': module})


def objects(_):
    """What code finds in its scope."""
    return {**{name: Chain([['object', name]]) for name in ('page', 'context', 'browser')}, 'Error': Error, 'TimeoutError': TimeoutError}
