#!/usr/bin/env python3
"""What the programs are made of, as SPDX 2.3 in JSON: each library that the loader loads for them, with the version and the package it comes from.
The build runs this; the time is that of SOURCE_DATE_EPOCH, so that the same build gives the same bytes.

  sbom.py VERSION OUTPUT PROGRAM…"""
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys


def output_of(*command):
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ, LC_ALL="C"))
    return done.stdout if done.returncode == 0 else ""


def libraries(program):
    """{name of the library: its file}, those that a library loads as well."""
    return {name: os.path.realpath(path) for name, path in re.findall(r"^\s*(\S+) => (/\S+) \(", output_of("ldd", program), re.M)}


def packages_of(paths):
    """{path: (package, version)} by dpkg, also where the library lies under /usr and dpkg knows it as /lib. One question for all
    of them: each takes dpkg a tenth of a second."""
    if shutil.which("dpkg-query") is None:
        return {}
    known = {}          # as dpkg may know it: path
    for path in paths:
        for name in (re.sub("^/usr/lib/", "/lib/", path), re.sub("^/lib/", "/usr/lib/", path), path):
            known[name] = path
    environment = dict(os.environ, LC_ALL="C")
    # Its status says only that it does not know some of the names.
    lines = subprocess.run(["dpkg-query", "-S", *sorted(known)], capture_output=True, text=True, check=False, env=environment).stdout
    owners = {}
    for line in lines.splitlines():
        owner, name = line.split(": ", 1)
        if name in known:
            owners.setdefault(known[name], owner.split(", ")[0].split(":")[0])
    versions = dict(line.split(" ", 1) for line in output_of(
        "dpkg-query", "-W", "-f", "${Package} ${Version}\n", *sorted(set(owners.values()))).splitlines())
    return {path: (owner, versions.get(owner, "")) for path, owner in owners.items()}


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def describe(version, programs):
    found = {}          # package: (version, libraries)
    loaded = {name: path for program in programs for name, path in libraries(program).items()}
    owners = packages_of(set(loaded.values()))
    for name, path in loaded.items():
        package, number = owners.get(path) or (name.split(".so")[0], (name.split(".so.") + [""])[1])
        found.setdefault(package, (number, set()))[1].add(name)
    packages = [{
        "SPDXID": identifier("minterm"), "name": "minterm", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION"}]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": identifier("minterm")}]
    for package, (number, names) in sorted(found.items()):
        entry = {"SPDXID": identifier("library-" + package), "name": package, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                 "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
                 "comment": "Loaded as " + ", ".join(sorted(names)), "primaryPackagePurpose": "LIBRARY"}
        if number:
            entry["versionInfo"] = number
        packages.append(entry)
        relations.append({"spdxElementId": identifier("minterm"), "relationshipType": "DYNAMIC_LINK",
                          "relatedSpdxElement": entry["SPDXID"]})
    moment = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    content = hashlib.sha256(json.dumps([packages, relations], sort_keys=True).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "minterm-" + version,
            "documentNamespace": "urn:sha256:" + content,
            "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: minterm-sbom"]},
            "packages": packages, "relationships": relations}


def main():
    version, path, *programs = sys.argv[1:]
    # Without ldd, or for another machine, it lists the program alone, and the build goes on.
    with open(path, "w") as f:
        json.dump(describe(version, programs), f, indent=2, sort_keys=True)
        f.write("\n")


main()
