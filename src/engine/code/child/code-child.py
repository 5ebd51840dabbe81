"""Runs one piece of Python with page, context and browser, which live in another process, reached over descriptor 3.

Playwright's async API (https://playwright.dev/python/docs/api/class-page), with the standard library alone. A chain such as
page.locator("a").first.click() is sent whole when it is awaited. An argument is the path of what takes its place where Playwright
itself is installed.
"""
import ast, asyncio, base64, inspect, json, linecache, os, re, runpy, socket, sys, traceback, types

link = socket.socket(fileno=3)
buffered = bytearray()
answers = {}
waiting = {}
callbacks = []
calls = []
watched = set()
asked = 0

SPECIAL = {'query_selector': '$', 'query_selector_all': '$$', 'eval_on_selector': '$eval', 'eval_on_selector_all': '$$eval',
           'inner_html': 'innerHTML', 'get_by_test_id': 'getByTestId', 'wait_for_url': 'waitForURL', 'remove_listener': 'off'}
NOW = {'url', 'pages', 'contexts', 'version'}
NOW_CALLED = {'on', 'once', 'off', 'setDefaultTimeout', 'setDefaultNavigationTimeout', 'isClosed', 'isConnected'}


class Error(Exception):
    @property
    def message(self):
        return str(self)


class TimeoutError(Error):
    pass


def camel(name):
    return SPECIAL.get(name) or re.sub(r'_([a-z0-9])', lambda found: found[1].upper(), name)


def send(message):
    link.sendall(json.dumps(message).encode() + b'\0')


def read_some():
    """Reads what has come, at least one byte."""
    chunk = link.recv(1 << 16)
    if not chunk:
        os._exit(0)
    start = len(buffered)
    buffered.extend(chunk)
    if 0 not in chunk:
        return
    *frames, rest = bytes(buffered).split(b'\0')
    buffered[:] = rest
    for frame in frames:
        message = json.loads(frame)
        if 'job' in message:
            answers['job'] = message['job']
        elif 'callback' in message:
            run_callback(message)
        elif message['answer'] in waiting:
            future = waiting.pop(message['answer'])
            if not future.done():
                future.set_result(message)
        else:
            answers[message['answer']] = message


def run_callback(message):
    called = callbacks[message['callback']](decode(message['given']))
    if inspect.isawaitable(called):
        calls.append(asyncio.ensure_future(as_coroutine(called)))


async def as_coroutine(called):
    return await called


def opened(message):
    if 'error' in message:
        raise (TimeoutError if message['error']['name'] == 'TimeoutError' else Error)(message['error']['message'])
    return decode(message.get('value'))


def ask(way):
    global asked
    asked += 1
    send({'ask': asked, 'way': way})
    return asked


def ask_now(way):
    number = ask(way)
    while number not in answers:
        read_some()
    return opened(answers.pop(number))


async def ask_later(way):
    loop = asyncio.get_running_loop()
    if loop not in watched:
        watched.add(loop)
        loop.add_reader(link.fileno(), read_some)
    number = ask(way)
    waiting[number] = loop.create_future()
    return opened(await waiting[number])


def encode(value):
    if isinstance(value, Chain):
        return {'$way': value._way}
    if isinstance(value, re.Pattern):
        flags = ('i' if value.flags & re.I else '') + ('s' if value.flags & re.S else '') + ('m' if value.flags & re.M else '')
        return {'$regular': value.pattern, 'flags': flags}
    if callable(value):
        callbacks.append(value)
        return {'$callback': len(callbacks) - 1}
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
            return Chain([['object', value['$object']]], value['facts'])
        if '$bytes' in value:
            return base64.b64decode(value['$bytes'])
        if '$number' in value:
            return float(value['$number'].replace('Infinity', 'inf')) if value['$number'][-1] in 'yN' else int(value['$number'])
        return {key: decode(each) for key, each in value.items()}
    return value


class Chain:
    def __init__(self, way, facts=None):
        self._way, self._facts = way, facts or {}

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if camel(name) in self._facts:
            return self._facts[camel(name)]
        if name.startswith('expect_') and name != 'expect':
            return lambda *given, **options: Expected(self, name[7:], given, options)
        way = self._way + [['get', camel(name)]]
        return ask_now(way) if name in NOW else Chain(way)

    def __call__(self, *given, **options):
        *before, (_, name) = self._way
        path = options.pop('path', None) if name in ('screenshot', 'pdf') else None
        if path and str(path).lower().endswith(('.jpg', '.jpeg')):
            options.setdefault('type', 'jpeg')
        given = [encode(each) for each in given]
        if name == 'selectOption':
            chosen = {key: options.pop(key) for key in ('value', 'label', 'index') if key in options}
            if chosen:
                lists = [each if isinstance(each, (list, tuple)) else [each] for each in chosen.values()]
                given.append([dict(zip(chosen, each)) for each in zip(*lists)])
        elif name in ('evaluate', 'evaluateHandle') and 'arg' in options:
            given.append(encode(options.pop('arg')))
        elif name == 'waitForFunction':
            given = (given + [encode(options.pop('arg', None))])[:2]
        if options:
            given.append({camel(key): encode(each) for key, each in options.items() if each is not None})
        way = before + [['call', name, given]]
        return ask_now(way) if name in NOW_CALLED else Chain(way, {'path': path} if path else None)

    def __await__(self):
        async def go():
            value = await ask_later(self._way)
            if 'path' in self._facts:
                with open(self._facts['path'], 'wb') as file:
                    file.write(value)
            return value
        return go().__await__()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None

    def __eq__(self, other):
        return isinstance(other, Chain) and other._way == self._way

    def __hash__(self):
        return hash(json.dumps(self._way))

    def __repr__(self):
        return '<' + '.'.join(str(each[1]) for each in self._way) + '>'


class Expected:
    """async with page.expect_popup() as info: …; popup = await info.value"""

    def __init__(self, chain, name, given, options):
        events = {'popup': 'popup', 'page': 'page', 'console_message': 'console', 'event': None}
        if name == 'navigation':
            self.chain = chain.wait_for_navigation(**options)
        elif name in events:
            self.chain = chain.wait_for_event(*([events[name]] if events[name] else []), *given[:1], **options)
        else:
            raise Error(f'expect_{name} is not in the part of the Playwright API that is built in.')

    async def __aenter__(self):
        self.value = asyncio.ensure_future(as_coroutine(self.chain))
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, kind, *_):
        if kind is None:
            await self.value
        else:
            self.value.cancel()


class Started:
    """What code gets that starts Playwright by itself: the browser that is there."""

    def __init__(self):
        self.chromium = self.firefox = self.webkit = self

    async def connect_over_cdp(self, *_, **__):
        return browser

    launch = connect = connect_over_cdp

    async def start(self):
        return self

    async def stop(self):
        return None

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None


def pretend_playwright():
    module = types.ModuleType('playwright.async_api')
    module.Error, module.TimeoutError, module.async_playwright = Error, TimeoutError, Started
    for name in ('Page', 'Browser', 'BrowserContext', 'Locator', 'ElementHandle', 'Playwright', 'Dialog', 'Response'):
        setattr(module, name, Chain)
    parent = types.ModuleType('playwright')
    parent.async_api = module
    sys.modules.update({'playwright': parent, 'playwright.async_api': module})


def show(value):
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Chain):
        return repr(value)
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


def evaluate(code, scope):
    """The code, and what its last expression comes to. Code that awaits runs in a loop; other code may start one itself."""
    tree = ast.parse(code, 'code.py')
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    parts = [compile(each, 'code.py', kind, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
             for each, kind in ((tree, 'exec'), (last, 'eval')) if each is not None]

    async def together():
        value = None
        for part in parts:
            value = eval(part, scope)
            if inspect.isawaitable(value):
                value = await value
        for call in calls:
            await call
        return value if last is not None else None

    if any(part.co_flags & inspect.CO_COROUTINE for part in parts):
        return asyncio.run(together())
    value = None
    for part in parts:
        value = eval(part, scope)
    if inspect.isawaitable(value):
        return asyncio.run(as_coroutine(value))
    return value if last is not None else None


def own_objects(_):
    return {**{name: Chain([['object', name]]) for name in ('page', 'context', 'browser')}, 'Error': Error, 'TimeoutError': TimeoutError}


def run(job):
    code = job['code']
    linecache.cache['code.py'] = (len(code), None, code.splitlines(True), 'code.py')
    try:
        given = objects(job)
        # Code that starts Playwright by itself gets the browser that is there.
        globals()['browser'] = given['browser']
        scope = {'__name__': '__main__', 'asyncio': asyncio, 'json': json, 're': re, **given}
        return {'lastValue': show(evaluate(code, scope))}, 0
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
        return {}, ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException as error:
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == 'code.py']
        head = ['Traceback (most recent call last):\n'] if own else []
        sys.stderr.write(''.join(head + traceback.format_list(own) + traceback.format_exception_only(type(error), error)))
        return {'error': f'{type(error).__name__}: {error}'}, 1


if sys.argv[1:]:
    objects = runpy.run_path(sys.argv[1], {'Started': Started})['objects']
else:
    pretend_playwright()
    objects = own_objects
while 'job' not in answers:
    read_some()
done, exit_code = run(answers.pop('job'))
sys.stdout.flush()
sys.stderr.flush()
send({'done': done})
# What the other side writes to a process that is gone would cost it what it has not read.
while link.recv(1 << 16):
    pass
os._exit(exit_code & 255)
