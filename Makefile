# The two commands of a newcomer are `make demo` and `make test`; both set up what they need in .venv.

BIN := .venv/bin

.PHONY: demo study strangers test lint bench chaos compose-test clean

demo: .venv/demo-ready  ## Play real games on the embedded bus, print the results, show a dialogue; play a small study.
	@rm -rf runs/demo
	@echo "== one agent holds both halves of the map =="
	@$(BIN)/palaver run maze --agents scripted -n 40 --set setting=solo-distributed --out runs/demo/solo-distributed
	@echo
	@echo "== two agents hold one half each, and have to talk =="
	@$(BIN)/palaver run maze --agents scripted -n 40 --out runs/demo/pair
	@echo
	@echo "== one of these dialogues (any of them: $(BIN)/palaver view runs/demo/pair maze-pair-00007) =="
	@$(BIN)/palaver view runs/demo/pair --brief
	@echo
	@echo "== a solver sees, an expert knows: the ten puzzles of COMMA, three of each =="
	@$(BIN)/palaver run comma --agents scripted -n 30 -q --out runs/demo/comma
	@echo
	@echo "== one of them; its pictures are in runs/demo/comma/blobs =="
	@$(BIN)/palaver view runs/demo/comma comma-keypad-00005 --brief
	@echo
	@echo "== clembench: five games with pictures, five in text, and the clemscore of a script and of chance =="
	@$(BIN)/palaver run clembench --set models=scripted,random -n 10 -q --out runs/demo/clembench
	@echo
	@echo "== one of them: do both see the same grid? =="
	@$(BIN)/palaver view runs/demo/clembench/runs/matchit_ascii--scripted matchit_ascii-similar_grid_2 --brief
	@echo
	@echo "== iVISPAR: shapes slide to their goals, seen in 3D; then a mover who sees nothing, and two who see a part each =="
	@$(BIN)/palaver run ivispar --agents scripted --set modality=3d -n 10 -q --out runs/demo/ivispar
	@$(BIN)/palaver run ivispar_described --agents scripted --set describers=2 -n 10 -q --out runs/demo/ivispar_described
	@echo
	@echo "== PuzzleWorld: nine puzzles of our own, and a judge that looks for every step of their solutions =="
	@$(BIN)/palaver run puzzleworld --agents scripted/hasty -q --out runs/demo/puzzleworld >/dev/null
	@$(BIN)/palaver score runs/demo/puzzleworld --grader scripted -q
	@$(BIN)/palaver view runs/demo/puzzleworld --brief
	@echo
	@echo "== The Collaboration Gap, small: scripts of different strength, alone, in pairs, in relays (they say nothing about models) =="
	@$(BIN)/palaver run collaboration-gap --set models=scripted/strong,scripted/weak -n 20 -q --out runs/demo/study
	@echo
	@echo "== graded by three votes of a script that reads less strictly than the rules; tables, plots and statistics on one page =="
	@$(BIN)/palaver score runs/demo/study --grader scripted/lenient --votes 3 -q >/dev/null
	@$(BIN)/palaver report runs/demo/study
	@echo
	@echo "== all of it in a browser, boards turn by turn: $(BIN)/palaver view runs/demo =="

study: .venv/demo-ready  ## The same study in the paper's numbers, ablations, groups and hierarchies included, with scripts; 20 minutes.
	@rm -rf runs/study
	@$(BIN)/palaver run collaboration-gap --set models=scripted/strong,scripted/imitator,scripted/weak \
		--only solo-full,solo-distributed,homogeneous,heterogeneous,relay-primer,relay-recovery,size,density,group,hierarchy \
		--out runs/study
	@$(BIN)/palaver score runs/study --grader scripted/lenient --votes 3
	@$(BIN)/palaver report runs/study

strangers: .venv/test-ready  ## Five agents of others (Redis in Python and JavaScript, WebSocket, MQTT, A2A) in one maze.
	@sh examples/five_strangers.sh

test: lint  ## Lint, type-check, and run all tests: more at a time than a small machine has cores, as many of them wait.
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist worksteal

lint: .venv/test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

bench: .venv/test-ready  ## Print what a turn costs, beside the floor; how long a hundred games of MatchIt take, shortest solutions, and agents of others.
	$(BIN)/python benchmarks/embedded.py
	@echo
	$(BIN)/python benchmarks/clembench.py
	@echo
	$(BIN)/python benchmarks/ivispar.py
	@echo
	$(BIN)/python benchmarks/strangers.py

chaos: .venv/test-ready  ## Kill everything, for a quarter of an hour, and count what is lost.
	$(BIN)/python -m tests.chaos.mazes
	$(BIN)/python -m tests.chaos.matrix

compose-test: .venv/test-ready  ## Play in real containers, with kills; skips where no engine can start.
	$(BIN)/python deploy/compose_test.py

clean:
	rm -rf .venv runs/demo runs/study

.venv/demo-ready: pyproject.toml deploy/setup.sh
	@deploy/setup.sh report
	@touch $@

.venv/test-ready: pyproject.toml deploy/setup.sh deploy/get_promtool.sh
	@deploy/setup.sh dev
	@deploy/get_promtool.sh
	@touch $@ .venv/demo-ready
