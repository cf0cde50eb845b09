# make run    opens the window on the default scene, or on SCENE=file
# make test   runs every check
# make bundle makes dist/wavelab, a folder with the program, Python and all that it needs
# make messages   brings the catalogues of translations up to date with the code
# make hunt   tries new examples, ROUNDS times, where tests make up their geometry and files, all
#             of what others choose from, and uses the window at random for five minutes
# Both set up what they need first: .venv, and the system libraries of Qt and OpenGL.
# PYTHON=... picks another interpreter (3.11 or later) for .venv.

VENV := .venv
export PYTHON

ROUNDS := 10
# A worker that crashes ends the run: others would wait for its files without an end.
# Files go to the processes as tests/conftest.py sorts them, which says how many there are, too.
# Bytecode is kept, whatever the caller does: each of some hundred children would compile wavelab.
PYTEST := QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 PYTHONDONTWRITEBYTECODE= $(VENV)/bin/pytest \
	--numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder \
	--max-worker-restart 0

.PHONY: help run test types tests bundle messages hunt format clean

help:
	@sed -n 's/^# \{0,1\}//; /^$$/q; p' Makefile

$(VENV)/.ready-run $(VENV)/.ready-test $(VENV)/.ready-bundle: $(VENV)/.ready-%: pyproject.toml constraints.txt scripts/set_up.sh
	scripts/set_up.sh $(VENV) $*
	@touch $@

run: $(VENV)/.ready-run
	$(VENV)/bin/python scripts/system_libraries.py
	$(VENV)/bin/wavelab $(SCENE)

test: $(VENV)/.ready-test
	$(VENV)/bin/python scripts/system_libraries.py --xvfb
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports
	$(MAKE) --no-print-directory --jobs 2 types tests
	@echo 'mypy and pytest: passed'

# Beside the tests, which often wait; it says something where something is wrong, and at once.
types: $(VENV)/.ready-test
	@mkdir -p .mypy_cache
	@printf '%s\n' linux win32 darwin | xargs -I {} $(VENV)/bin/mypy --platform {} \
		--cache-dir .mypy_cache/{} > .mypy_cache/told 2>&1 || { cat .mypy_cache/told; exit 1; }

tests: $(VENV)/.ready-test
	$(PYTEST)

bundle: $(VENV)/.ready-bundle
	$(VENV)/bin/pyinstaller --noconfirm --log-level WARN --workpath build scripts/bundle/wavelab.spec

messages: $(VENV)/.ready-test
	$(VENV)/bin/python -m scripts.messages

hunt: $(VENV)/.ready-test
	$(VENV)/bin/python scripts/system_libraries.py --xvfb
	for round in $$(seq $(ROUNDS)); do $(PYTEST) -m hypothesis --hypothesis-profile hunt || exit; done
	EVERY=all $(PYTEST) tests/opencl $$(grep -rlE \
		'^from tests(.products import| import .*products)|not_optimised' tests --include='test_*.py' --exclude-dir=opencl)
	USER_MINUTES=5 USER_SEED=$$(date +%s) $(PYTEST) tests/app/test_scripted_user.py

format: $(VENV)/.ready-test
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
